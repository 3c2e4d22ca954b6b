/* Replays that must succeed, priced by the bifrost profile of with_isa.h. */
#ifndef SUPPORT_SIMULATED_H
#define SUPPORT_SIMULATED_H

#include "model/simulate.h"
#include "with_isa.h"

/* Returns a result, which the caller clears. */
static inline struct sim_result simulated(const struct trace *trace, const struct gpu_spec *spec) {
  struct sim_result result;
  struct error error = ERROR_INIT;
  const int status = simulate(trace, isa, spec, &result, &error);
  if (status != 0)
    error_print(&error, stderr);
  assert_int_equal(status, 0);
  return result;
}

/* Returns the result's numbers without its arrays, so that nothing must be cleared. */
static inline struct sim_result simulated_numbers(const struct trace *trace, const struct gpu_spec *spec) {
  struct sim_result result = simulated(trace, spec), numbers = result;
  sim_result_clear(&result);
  numbers.core_stacks = NULL;
  numbers.lines = NULL;
  return numbers;
}

static inline double simulated_cycles(const struct trace *trace, const struct gpu_spec *spec) {
  return simulated_numbers(trace, spec).cycles;
}

#endif
