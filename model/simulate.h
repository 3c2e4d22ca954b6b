/* Replays one kernel's trace through a GPU description. Of a trace that holds some work-groups of a launch it estimates
 * the whole launch (model/sampling/sampled_launch.h); the result says so.
 *
 * Determinism: the same trace, profile and spec give the same bytes; calls are independent and may run in parallel.
 * Cost: event-driven; time grows with warp memory accesses and arithmetic runs, not with cycles.
 * Source: REASSEMBLE, thesis ch. 5.3; docs/model.md says what each mechanism means. */
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
/* The same result, by several threads where that is possible (docs/replay.md). */
int simulate_with_threads(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          uint32_t threads, struct sim_result *out, struct error *error);
/* The same, told to `observer` (model/timeline/observer.h). */
struct observer;
int simulate_observed(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                      struct observer *observer, struct sim_result *out, struct error *error);
/* Replays at least `least` (above 0, at most 1) of the work and estimates the rest where that can be at most 5 % off
 * (model/sampling/sample.h); else all is replayed, as simulate does it. */
int simulate_sampled(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                     double least, struct sim_result *out, struct error *error);

#endif
