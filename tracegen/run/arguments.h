/* The arguments of a launch, checked against what the kernel wants, as generated code reads them. Private to tracegen.
 */
#ifndef TRACEGEN_RUN_ARGUMENTS_H
#define TRACEGEN_RUN_ARGUMENTS_H

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

/* *arguments: parameter_count entries, aligned; the caller frees. *local_bytes: local memory of a work-group: the
 * kernel's own arrays, then the arguments'. Buffer i of the workload is region i of the arena. Also checks the
 * work-group's size against reqd_work_group_size. */
int arguments_bind(const struct workload *workload, const struct workload_launch *launch,
                   const struct kernel_program *program, struct arena *arena, struct kernel_argument **arguments,
                   uint32_t *local_bytes, struct error *error);

/* What a kernel has to know of the launch's images and samplers when it is built, by argument; how many arguments there
 * are. `opaques`: room for KERNEL_MAX_PARAMETERS, zeroed. */
size_t arguments_opaque(const struct workload *workload, const struct workload_launch *launch,
                        struct kernel_opaque *opaques);

#endif
