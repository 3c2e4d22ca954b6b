#include "dse/evaluate/evaluate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dse/sweep/area.h"
#include "model/retime/retime_record.h"

static const char energy_name[] = "energy_pj";

size_t outcome_value_count(void) {
  assert(sim_value_count + 1 <= MOST_OUTCOME_VALUES);
  return sim_value_count + 1;
}

const char *outcome_value_name(size_t index) {
  return index < sim_value_count ? sim_values[index].name : energy_name;
}

size_t outcome_value(const char *name) {
  for (size_t i = 0; i < outcome_value_count(); i++)
    if (strcmp(outcome_value_name(i), name) == 0)
      return i;
  assert(!"a value that evaluate.c knows");
  return 0;
}

static bool is_ratio(const struct sim_value *value) {
  return !value->whole && strcmp(value->unit, "1") == 0;
}

static void add_launch(const struct gpu_spec *spec, const struct sim_result *result, double *values) {
  const double weight = (double)result->warp_instructions;
  for (size_t i = 0; i < sim_value_count; i++)
    values[i] += sim_value_of(&sim_values[i], result) * (is_ratio(&sim_values[i]) ? weight : 1);
  values[sim_value_count] += energy_proxy_pj(spec, result);
}

static void weigh_ratios(double *values) {
  const double weight = values[outcome_value("warp_instructions")];
  for (size_t i = 0; i < sim_value_count; i++)
    if (is_ratio(&sim_values[i]))
      values[i] = weight > 0 ? values[i] / weight : 1;
}

static int refused(const struct evaluation_workload *w, const struct error *cause, struct error *error) {
  return error_set(error, cause->kind, "%s: %s%s%s", w->name, cause->key, cause->key[0] ? ": " : "", cause->text);
}

static int add_exact(const struct evaluation *evaluation, const struct evaluation_workload *w, size_t launch,
                     const struct gpu_spec *spec, double *values, struct error *error) {
  struct sim_result result;
  struct error cause = ERROR_INIT;
  if (simulate(w->traces[launch], evaluation->isa, spec, &result, &cause) != 0)
    return refused(w, &cause, error);
  add_launch(spec, &result, values);
  sim_result_clear(&result);
  return 0;
}

int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *values,
             struct error *error) {
  const struct evaluation_workload *w = &evaluation->workloads[workload];
  memset(values, 0, outcome_value_count() * sizeof *values);
  for (size_t launch = 0; launch < w->trace_count; launch++)
    if (add_exact(evaluation, w, launch, spec, values, error) != 0)
      return -1;
  weigh_ratios(values);
  return 0;
}

/* Adds one launch to the values of all members except the first, by exact replays where the recording cannot predict
 * it. */
static int add_members(const struct evaluation *evaluation, const struct evaluation_workload *w, size_t launch,
                       const struct retime_recording *recorded, const struct gpu_spec *specs, size_t count,
                       double *values, bool *exact, struct error *error) {
  const size_t width = outcome_value_count();
  struct sim_result *results = calloc(count, sizeof *results);
  bool *timed = calloc(count, sizeof *timed);
  int status = results && timed ? 0 : error_no_memory(error);
  if (status == 0 && recorded)
    retime_all(recorded, specs + 1, count - 1, results + 1, timed + 1);
  for (size_t i = 1; i < count && status == 0; i++) {
    exact[i] = exact[i] && !timed[i];
    if (timed[i])
      add_launch(&specs[i], &results[i], values + i * width);
    else
      status = add_exact(evaluation, w, launch, &specs[i], values + i * width, error);
  }
  free(results); /* results of a recording hold no memory */
  free(timed);
  return status;
}

int evaluate_family(const struct evaluation *evaluation, const struct gpu_spec *specs, size_t count, size_t workload,
                    double *values, bool *exact, struct error *error) {
  const struct evaluation_workload *w = &evaluation->workloads[workload];
  const size_t width = outcome_value_count();
  memset(values, 0, count * width * sizeof *values);
  for (size_t i = 0; i < count; i++)
    exact[i] = true;
  for (size_t launch = 0; launch < w->trace_count; launch++) {
    struct retime_recording *recorded;
    struct sim_result result;
    struct error cause = ERROR_INIT;
    if (retime_record(w->traces[launch], evaluation->isa, specs, count, &recorded, &result, &cause) != 0)
      return refused(w, &cause, error);
    add_launch(&specs[0], &result, values);
    sim_result_clear(&result);
    const int status = add_members(evaluation, w, launch, recorded, specs, count, values, exact, error);
    retime_destroy(recorded);
    if (status != 0)
      return -1;
  }
  for (size_t i = 0; i < count; i++)
    weigh_ratios(values + i * width);
  return 0;
}
