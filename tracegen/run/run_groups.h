/* Runs a built kernel over its NDRange. Work-groups run in order, or with several jobs beside each other, and are
 * recorded in order; the work-items of a work-group run in order of local id. Private to tracegen.
 *
 * Kernels with atomics on global memory and kernels that print run on one job, because what they read or print depends
 * on the order of the work-groups.
 *
 * A mistake of the kernel (a bad access, a barrier that not all work-items reach) cannot return through generated code:
 * it is handed to the request's `fail`, which must not return. */
#ifndef TRACEGEN_RUN_RUN_GROUPS_H
#define TRACEGEN_RUN_RUN_GROUPS_H

#include "tracegen/run/group/run_request.h"

/* *instructions becomes the number of executed operations, all classes but OP_MOVE (0 for a program that was built
 * without recording). */
int run_groups(const struct run_request *request, uint64_t *instructions, struct error *error);

/* Returns whether all work-groups of the kernel must run, and in order: it has atomics on global memory. */
bool run_groups_depend_on_order(const struct trace_code *code);

#endif
