/* Children that have built a kernel and wait for another launch of it (child_process.h): a program launches few kernels
 * many times. Private to tracegen.
 *
 * What a kernel's code holds of its launch is the place of each buffer and constant, the formats of images, samplers,
 * and whether reads of buffers are looked at: launches that agree in these may share it, and give the traces that they
 * would give alone.
 * Ownership: of a child, between kept_children_give and kept_children_take. */
#ifndef TRACEGEN_WORKER_POOL_H
#define TRACEGEN_WORKER_POOL_H

#include <stdbool.h>

#include "tracegen/process/child_process.h"
#include "tracegen/emulate.h"

/* Whether a child for this workload may serve later ones. */
bool kept_children_may_serve(const struct emulate_kept *kept, const struct workload *workload);
/* A child that serves launches like this one's, if there is one. */
bool kept_children_take(struct emulate_kept *kept, const struct workload *workload, struct child_process *out);
/* Keeps it, or ends it: *process is empty then. */
void kept_children_give(struct emulate_kept *kept, const struct workload *workload, struct child_process *process);

#endif
