/* Occupancy: the number of work-groups that share a core. Errors: a message that names the limit. Cost: O(1). Threads:
 * any. Source: NVIDIA, "CUDA C++ programming guide", section "multiprocessor level" (threads, registers, blocks); Arm's
 * guides describe Mali's registers in the same way. */
#ifndef MODEL_OCCUPANCY_H
#define MODEL_OCCUPANCY_H

#include "base/error.h"
#include "model/params/gpu.h"
#include "trace/trace.h"

/* Returns the work-groups that fit on a core by threads, registers and the spec's own limit, and at most those of the
 * launch. A trace without a number of registers is not limited by them. occupancy_check must have passed. */
uint32_t occupancy_groups(const struct trace *trace, const struct gpu_spec *spec);
/* Returns the size of a core's L1 in bytes. If it shares a memory with the scratchpad, the scratchpad takes the least
 * power of two, within its bounds, that holds the local memory of all work-groups that fit on the core by the other
 * limits, and L1 has the rest. Source: NVIDIA, "Ampere Tuning Guide" and "Turing Tuning Guide", section "Unified Shared
 * Memory/L1/Texture Cache". */
int64_t occupancy_l1_bytes(const struct trace *trace, const struct gpu_spec *spec);
/* Refuses a work-group that is larger than the device accepts or needs more threads or registers than a core has. The
 * message names the limit. */
int occupancy_check(const struct trace *trace, const struct gpu_spec *spec, struct error *error);

#endif
