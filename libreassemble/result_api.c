/* Implements predictions (reassemble.h). */
#include <stdlib.h>
#include <string.h>

#include "libreassemble/private.h"
#include "model/result/result_values.h"

int reassemble_simulate(const struct reassemble_trace *trace, const struct reassemble_gpu *gpu,
                        struct reassemble_result **result, struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct reassemble_result *made = calloc(1, sizeof *made);
  if (!made)
    error_no_memory(&reason);
  else if (gpu_spec_check(&gpu->gpu->spec, &reason) == 0 &&
           simulate(trace->trace, gpu->isa, &gpu->gpu->spec, &made->result, &reason) == 0)
    *result = made;
  else
    free(made);
  return api_status(&reason, error);
}

void reassemble_result_free(struct reassemble_result *result) {
  if (!result)
    return;
  sim_result_clear(&result->result);
  free(result);
}

int reassemble_result_get(const struct reassemble_result *result, const char *name, double *value,
                          struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  for (size_t i = 0; i < sim_value_count; i++)
    if (strcmp(sim_values[i].name, name) == 0) {
      *value = sim_value_of(&sim_values[i], &result->result);
      return 0;
    }
  error_at(&reason, ERROR_INPUT, "", 0, 0, name,
           "a prediction has no number of this name; reassemble_result_each shows all");
  return api_status(&reason, error);
}

int reassemble_result_each(const struct reassemble_result *result,
                           int (*visit)(const char *name, double value, const char *unit, const char *meaning,
                                        void *user),
                           void *user) {
  int status = 0;
  for (size_t i = 0; i < sim_value_count && status == 0; i++)
    status = visit(sim_values[i].name, sim_value_of(&sim_values[i], &result->result), sim_values[i].unit,
                   sim_values[i].meaning, user);
  return status;
}

int reassemble_result_each_line(const struct reassemble_result *result,
                                int (*visit)(uint32_t line, const char *component, double cycles, void *user),
                                void *user) {
  int status = 0;
  for (size_t i = 0; i < result->result.line_count; i++) {
    double values[SIM_STACK_COUNT];
    sim_stack_values(&result->result.lines[i].stack, values);
    for (size_t c = 0; c < SIM_STACK_COUNT && status == 0; c++)
      status = visit(result->result.lines[i].line, sim_stack_names[c], values[c], user);
  }
  return status;
}
