/* Simulates the launch of a trace on a GPU description. For a trace that holds only some work-groups of a launch it
 * estimates the whole launch (model/sampling/sampled_launch.h), and marks the result as estimated.
 *
 * Ownership: a result is cleared with sim_result_clear. Errors: 0, or -1 with an error.
 * Determinism: the same trace, profile and spec give the same bytes; calls are independent and may run in parallel.
 * Cost: event-driven; time grows with warp memory accesses and arithmetic runs, not with cycles.
 * Source: REASSEMBLE, thesis ch. 5.3; docs/model.md defines each mechanism. */
#ifndef MODEL_SIMULATE_H
#define MODEL_SIMULATE_H

#include <stdint.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "model/result/result.h"
#include "trace/trace.h"

int simulate(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
             struct sim_result *out, struct error *error);
/* Gives the result of `simulate`, by up to `threads` threads where that is possible (docs/replay.md). */
int simulate_with_threads(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          uint32_t threads, struct sim_result *out, struct error *error);
/* Gives the result of `simulate`, and lets `observer` follow the replay (model/timeline/observer.h). */
struct observer;
int simulate_observed(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                      struct observer *observer, struct sim_result *out, struct error *error);
/* Replays at least the share `least` (above 0, at most 1) of the work, and estimates the rest if that is at most 5 %
 * off (model/sampling/sample.h); otherwise it replays everything, as simulate does. */
int simulate_sampled(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                     double least, struct sim_result *out, struct error *error);

#endif
