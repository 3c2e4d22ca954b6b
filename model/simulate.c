#include "model/simulate.h"

#include "model/replay/simulation.h"
#include "model/sampling/sample.h"

int simulate(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
             struct sim_result *out, struct error *error) {
  return simulate_with_threads(trace, isa, spec, 1, out, error);
}

int simulate_with_threads(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          uint32_t threads, struct sim_result *out, struct error *error) {
  return simulation_run(trace, isa, spec, &(struct replay_options){.threads = threads}, out, error);
}

int simulate_observed(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                      struct observer *observer, struct sim_result *out, struct error *error) {
  return simulation_run(trace, isa, spec, &(struct replay_options){.observer = observer}, out, error);
}

int simulate_sampled(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                     double least, struct sim_result *out, struct error *error) {
  struct sampler sampler = {.least = least};
  const int status = simulation_run(trace, isa, spec, &(struct replay_options){.sampler = &sampler}, out, error);
  sampler_clear(&sampler);
  return status;
}
