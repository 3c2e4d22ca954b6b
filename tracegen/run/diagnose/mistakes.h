/* Reports the mistakes of a kernel. None of these functions returns through generated code: they hand an
 * error to the request's `fail`, on the stack of the caller of the work-group. Private to run. */
#ifndef TRACEGEN_RUN_DIAGNOSE_MISTAKES_H
#define TRACEGEN_RUN_DIAGNOSE_MISTAKES_H

#include "tracegen/run/group/group_run.h"

#define LET_PASS "trace --undefined-reads none lets it pass" /* for messages about undefined reads */

/* Ends the run with this error. Does not return. */
void group_run_fail(struct group_run *run, const struct error *error);
/* Ends the run with a mistake of a work-item, in front of which its name and the source line are put. Does not
 * return. */
void group_run_mistake(const struct item_context *item, unsigned line, const char *what);
/* Ends the run because the work-item of `slot` cannot go on: a fault of recording.h. Does not return. */
void group_run_stopped(struct group_run *run, enum recording_end end, uint32_t slot, const void *next);
/* Called when each slot has run up to a barrier or the end. Returns when all are at the same place and have made the
 * same calls; else ends the run. */
void group_run_check_round(struct group_run *run);
/* Ends the run: work-item `missing` of [first, end), a sub-group, does not take part in the call at which others wait
 * with this state. Does not return. */
void mistake_missing_at_call(struct group_run *run, uint32_t first, uint32_t end, uint64_t state, uint32_t missing);
/* Returns whether the access is through a null pointer: of private memory only where the address says so. */
bool mistake_is_null(const struct group_run *run, const struct kernel_access *access, uint64_t address);
/* Counts a load from outside of its buffer that gives zeros. */
void count_outside_load(const struct item_context *item, uint64_t index, uint64_t address);
/* Says that the mistake is one that dry runs look for. */
void mark_dry_run_finding(const struct item_context *item);

/* Ends the run because memory operation `index` reads bytes whose value is undefined. `shadow` and `source` are those
 * of the first (group/shadow.h). Does not return. */
void mistake_undefined_read(struct item_context *item, uint32_t index, uint64_t address, unsigned char shadow,
                            uint16_t source);
/* Returns whether the error is that of a read of undefined bytes of local memory. */
bool mistake_is_local_read(const struct error *error);

#endif
