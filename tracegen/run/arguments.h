/* The arguments of a launch, checked against the kernel's parameters, in the form that generated code reads. Private to
 * tracegen. */
#ifndef TRACEGEN_RUN_ARGUMENTS_H
#define TRACEGEN_RUN_ARGUMENTS_H

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

/* *arguments becomes an array of parameter_count entries, which the caller frees. *local_bytes becomes the local
 * memory of a work-group: the kernel's own arrays, then the arguments'. Buffer i of the workload is region i of the
 * arena. ERROR_INPUT: an argument does not fit its parameter, or the work-group's size is not that of
 * reqd_work_group_size. */
int arguments_bind(const struct workload *workload, const struct workload_launch *launch,
                   const struct kernel_program *program, struct arena *arena, struct kernel_argument **arguments,
                   uint32_t *local_bytes, struct error *error);

/* Returns the number of work-items of a sub-group: what the kernel requires, else what the launch says, else `other`
 * (0: not given), else a default. */
uint32_t launch_sub_group(const struct workload_launch *launch, const struct kernel_program *program, uint32_t other);

/* Describes the launch's images and samplers, by argument, for the build of its kernel. `opaques` has room for
 * KERNEL_MAX_PARAMETERS and is zeroed. Returns how many arguments there are. */
size_t arguments_opaque(const struct workload *workload, const struct workload_launch *launch,
                        struct kernel_opaque *opaques);

#endif
