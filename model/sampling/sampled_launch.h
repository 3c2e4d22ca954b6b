/* The replay of a sampled launch, that is, of a trace that holds only some work-groups (docs/sampling.md).
 *
 * The other work-groups are predicted from those of the trace (group_pattern.h). The core that has most to do is
 * replayed with its work-groups at their true places, or with the first ones if they are many; the other cores take
 * part at L2 and behind it (model/replay/one_core.h). The result is that of the whole launch, with a bound on its
 * cycles.
 *
 * Errors: ERROR_INPUT if the work-groups of the trace are not alike, or leave out some that the core needs. Cost: that
 * of the replayed work-groups; at L2 as many look-ups as the GPU has cores. Threads: as simulate. */
#ifndef MODEL_SAMPLED_LAUNCH_H
#define MODEL_SAMPLED_LAUNCH_H

#include "model/isa/isa.h"
#include "model/params/gpu.h"
#include "model/replay/recorded/l2_answers.h"
#include "model/result/result.h"
#include "trace/trace.h"

int sampled_launch_simulate(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                            struct sim_result *out, struct error *error);
/* Simulates the launch and records L2's answers to the work-groups that sampled_launch_again replays into `answers`,
 * which must be empty; only for GPUs that queue before L2, without MSHRs, TLBs and dirty lines. */
int sampled_launch_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct l2_answers *answers, struct sim_result *out, struct error *error);
/* Replays the first work-groups of the core, as few as tell the time of the launch, with the answers of L2 that were
 * recorded on a GPU that may differ in prices and latencies. The cycles are those of these work-groups alone. */
int sampled_launch_again(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                         const struct l2_answers *answers, struct sim_result *out, struct error *error);

#endif
