#include "model/simulate.h"

#include "model/replay/simulation.h"
#include "model/sampling/sample.h"
#include "model/sampling/sampled_launch.h"
#include "model/timeline/observer.h"

int simulate(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
             struct sim_result *out, struct error *error) {
  return simulate_with_threads(trace, isa, spec, 1, out, error);
}

int simulate_with_threads(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          uint32_t threads, struct sim_result *out, struct error *error) {
  if (trace_is_sampled(&trace->header))
    return sampled_launch_simulate(trace, isa, spec, out, error);
  return simulation_run(trace, isa, spec, &(struct replay_options){.threads = threads}, out, error);
}

int simulate_observed(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                      struct observer *observer, struct sim_result *out, struct error *error) {
  if (trace_is_sampled(&trace->header))
    return error_set(error, ERROR_INPUT,
                     "kernel '%s': the trace holds %u of %u work-groups, and an observer (--detail, --timeline) needs "
                     "all: trace the whole launch",
                     trace->header.kernel, trace->group_count, trace_launch_groups(&trace->header));
  return simulation_run(trace, isa, spec, &(struct replay_options){.hooks = observer_hooks(observer)}, out, error);
}

int simulate_sampled(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                     double least, struct sim_result *out, struct error *error) {
  if (trace_is_sampled(&trace->header))
    return sampled_launch_simulate(trace, isa, spec, out, error);
  if (trace->homes) /* estimates take the GPU's order of dispatch for granted */
    return simulate(trace, isa, spec, out, error);
  struct sampler sampler = {.least = least};
  const struct replay_options options = {.hooks = sampler_hooks(&sampler)};
  const int status = simulation_run(trace, isa, spec, &options, out, error);
  sampler_clear(&sampler);
  return status;
}
