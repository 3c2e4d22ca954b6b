/* Runs work-items that wait for each other inside of a sub-group (abi/collective.h). Private to run.
 *
 * The work-items of a sub-group run one after the other until each waits at a call, waits at a barrier of the
 * work-group or has ended. Those at the call that stands first in the kernel's layout get their results and go on:
 * the rule of min-PC (Collange, "Stack-less SIMT reconvergence at low cost", 2011), by which divergent work-items meet
 * where their paths join. When no work-item of the sub-group waits at a call of the sub-group, the next one runs. */
#ifndef TRACEGEN_RUN_COLLECTIVES_H
#define TRACEGEN_RUN_COLLECTIVES_H

#include "tracegen/abi/collective.h"
#include "tracegen/run/group/group_run.h"

/* Allocates what the kernel's calls need. Returns -1 without memory. */
int collectives_create(struct group_run *run);
void collectives_destroy(struct collectives *collectives);
/* At the start of a work-group, before its first work-item runs. */
void collectives_begin_round(struct group_run *run);
/* Returns the slot that runs after `slot` has stopped with run->waiting[slot]; run->slots: all of the work-group have
 * stopped at barriers, at calls of the work-group, or at their ends. Where work-items are missing at a call, the run
 * ends with a message. */
uint32_t collectives_next(struct group_run *run, uint32_t slot);
/* All work-items wait at the same place: if it is a call of the work-group, its results are written. */
void collectives_finish_round(struct group_run *run);

#endif
