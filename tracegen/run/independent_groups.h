/* Finds out whether some work-groups of a launch do what they do in the whole launch. Private to tracegen.
 *
 * OpenCL 1.2 gives the plain loads and stores of different work-groups no order (section 3.3.1), so what a work-group
 * does can depend on another one only by atomic operations on global memory. A kernel is refused when it uses the
 * result of one, or loads from a buffer that it changes with one. */
#ifndef TRACEGEN_RUN_INDEPENDENT_GROUPS_H
#define TRACEGEN_RUN_INDEPENDENT_GROUPS_H

#include "base/error.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

/* Returns 0, or -1 with an ERROR_INPUT that names the source line of the atomic operation. */
int independent_groups_check(const struct workload *workload, const struct workload_launch *launch,
                             const struct kernel_program *program, struct error *error);

#endif
