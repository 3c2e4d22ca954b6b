#include "dse/evaluate/evaluate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dse/sweep/area.h"
#include "model/retime/retime_record.h"

static const char energy_name[] = "energy_pj";

size_t outcome_measure_count(void) {
  assert(sim_value_count + 1 <= MOST_MEASURES);
  return sim_value_count + 1;
}

const char *outcome_measure_name(size_t index) {
  return index < sim_value_count ? sim_values[index].name : energy_name;
}

size_t outcome_measure(const char *name) {
  for (size_t i = 0; i < outcome_measure_count(); i++)
    if (strcmp(outcome_measure_name(i), name) == 0)
      return i;
  assert(!"a measure that evaluate.c knows");
  return 0;
}

static bool is_ratio(const struct sim_value *measure) {
  return !measure->whole && strcmp(measure->unit, "1") == 0;
}

static void add_launch(const struct gpu_spec *spec, const struct sim_result *result, double *measures) {
  const double weight = (double)result->warp_instructions;
  for (size_t i = 0; i < sim_value_count; i++)
    measures[i] += sim_value_of(&sim_values[i], result) * (is_ratio(&sim_values[i]) ? weight : 1);
  measures[sim_value_count] += energy_proxy_pj(spec, result);
}

static void weigh_ratios(double *measures) {
  const double weight = measures[outcome_measure("warp_instructions")];
  for (size_t i = 0; i < sim_value_count; i++)
    if (is_ratio(&sim_values[i]))
      measures[i] = weight > 0 ? measures[i] / weight : 1;
}

static int refused(const struct evaluation_workload *w, const struct error *cause, struct error *error) {
  return error_set(error, cause->kind, "%s: %s%s%s", w->name, cause->key, cause->key[0] ? ": " : "", cause->text);
}

static int add_exact(const struct evaluation *evaluation, const struct evaluation_workload *w, size_t launch,
                     const struct gpu_spec *spec, double *measures, struct error *error) {
  struct sim_result result;
  struct error cause = ERROR_INIT;
  if (simulate(w->traces[launch], evaluation->isa, spec, &result, &cause) != 0)
    return refused(w, &cause, error);
  add_launch(spec, &result, measures);
  sim_result_clear(&result);
  return 0;
}

int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *measures,
             struct error *error) {
  const struct evaluation_workload *w = &evaluation->workloads[workload];
  memset(measures, 0, outcome_measure_count() * sizeof *measures);
  for (size_t launch = 0; launch < w->trace_count; launch++)
    if (add_exact(evaluation, w, launch, spec, measures, error) != 0)
      return -1;
  weigh_ratios(measures);
  return 0;
}

/* One launch of all members but the first; exact replays where the recording cannot tell. */
static int add_members(const struct evaluation *evaluation, const struct evaluation_workload *w, size_t launch,
                       const struct recorded *recorded, const struct gpu_spec *specs, size_t count, double *measures,
                       bool *exact, struct error *error) {
  const size_t width = outcome_measure_count();
  struct sim_result *results = calloc(count, sizeof *results);
  bool *timed = calloc(count, sizeof *timed);
  int status = results != NULL && timed != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0 && recorded != NULL)
    recorded_time_all(recorded, specs + 1, count - 1, results + 1, timed + 1);
  for (size_t i = 1; i < count && status == 0; i++) {
    exact[i] = exact[i] && !timed[i];
    if (timed[i])
      add_launch(&specs[i], &results[i], measures + i * width);
    else
      status = add_exact(evaluation, w, launch, &specs[i], measures + i * width, error);
  }
  free(results); /* those of a recording hold no memory */
  free(timed);
  return status;
}

int evaluate_family(const struct evaluation *evaluation, const struct gpu_spec *specs, size_t count, size_t workload,
                    double *measures, bool *exact, struct error *error) {
  const struct evaluation_workload *w = &evaluation->workloads[workload];
  const size_t width = outcome_measure_count();
  memset(measures, 0, count * width * sizeof *measures);
  for (size_t i = 0; i < count; i++)
    exact[i] = true;
  for (size_t launch = 0; launch < w->trace_count; launch++) {
    struct recorded *recorded;
    struct sim_result result;
    struct error cause = ERROR_INIT;
    if (recorded_make(w->traces[launch], evaluation->isa, specs, count, &recorded, &result, &cause) != 0)
      return refused(w, &cause, error);
    add_launch(&specs[0], &result, measures);
    sim_result_clear(&result);
    const int status = add_members(evaluation, w, launch, recorded, specs, count, measures, exact, error);
    recorded_destroy(recorded);
    if (status != 0)
      return -1;
  }
  for (size_t i = 0; i < count; i++)
    weigh_ratios(measures + i * width);
  return 0;
}
