#include "dse/evaluate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dse/area.h"

static const char energy_name[] = "energy_pj";

size_t outcome_measure_count(void) {
  assert(sim_measure_count + 1 <= MOST_MEASURES);
  return sim_measure_count + 1;
}

const char *outcome_measure_name(size_t index) {
  return index < sim_measure_count ? sim_measures[index].name : energy_name;
}

size_t outcome_measure(const char *name) {
  for (size_t i = 0; i < outcome_measure_count(); i++)
    if (strcmp(outcome_measure_name(i), name) == 0)
      return i;
  assert(!"a measure that evaluate.c knows");
  return 0;
}

static bool is_ratio(const struct sim_measure *measure) {
  return !measure->whole && strcmp(measure->unit, "1") == 0;
}

static void add_launch(const struct gpu_spec *spec, const struct sim_result *result, double *measures) {
  const double weight = (double)result->warp_instructions;
  for (size_t i = 0; i < sim_measure_count; i++)
    measures[i] += sim_measure_value(&sim_measures[i], result) * (is_ratio(&sim_measures[i]) ? weight : 1);
  measures[sim_measure_count] += energy_proxy_pj(spec, result);
}

static void weigh_ratios(double *measures) {
  const double weight = measures[outcome_measure("warp_instructions")];
  for (size_t i = 0; i < sim_measure_count; i++)
    if (is_ratio(&sim_measures[i]))
      measures[i] = weight > 0 ? measures[i] / weight : 1;
}

int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *measures,
             bool *exact, struct error *error) {
  const struct evaluation_workload *w = &evaluation->workloads[workload];
  memset(measures, 0, outcome_measure_count() * sizeof *measures);
  for (size_t launch = 0; launch < w->trace_count; launch++) {
    struct sim_result result;
    struct error cause = ERROR_INIT;
    if (simulate(w->traces[launch], evaluation->isa, spec, &result, &cause) != 0)
      return error_set(error, cause.kind, "%s: %s%s%s", w->name, cause.key, cause.key[0] ? ": " : "", cause.text);
    add_launch(spec, &result, measures);
    sim_result_clear(&result);
  }
  weigh_ratios(measures);
  *exact = true;
  return 0;
}

int outcomes_init(struct outcomes *outcomes, size_t design_count, size_t workload_count, struct error *error) {
  size_t rows, numbers;
  *outcomes = (struct outcomes){design_count, workload_count, outcome_measure_count(), NULL, NULL};
  if (__builtin_mul_overflow(design_count, workload_count, &rows) ||
      __builtin_mul_overflow(rows, outcomes->measure_count, &numbers))
    return error_set(error, ERROR_WORK, "out of memory");
  outcomes->measures = calloc(numbers + 1, sizeof *outcomes->measures);
  outcomes->state = calloc(rows + 1, sizeof *outcomes->state);
  if (outcomes->measures != NULL && outcomes->state != NULL)
    return 0;
  outcomes_clear(outcomes);
  return error_set(error, ERROR_WORK, "out of memory: %zu designs on %zu workloads", design_count, workload_count);
}

void outcomes_clear(struct outcomes *outcomes) {
  free(outcomes->measures);
  free(outcomes->state);
  *outcomes = (struct outcomes){0};
}

static size_t row_of(const struct outcomes *outcomes, size_t design, size_t workload) {
  assert(design < outcomes->design_count && workload < outcomes->workload_count);
  return design * outcomes->workload_count + workload;
}

double *outcomes_at(const struct outcomes *outcomes, size_t design, size_t workload) {
  return &outcomes->measures[row_of(outcomes, design, workload) * outcomes->measure_count];
}

int outcomes_put(struct outcomes *outcomes, size_t design, size_t workload, const double *measures, bool exact) {
  double *kept = outcomes_at(outcomes, design, workload);
  unsigned char *state = &outcomes->state[row_of(outcomes, design, workload)];
  const unsigned char wanted = exact ? OUTCOME_EXACT : OUTCOME_APPROXIMATE;
  const size_t size = outcomes->measure_count * sizeof *kept;
  if (*state != OUTCOME_MISSING)
    return *state == wanted && memcmp(kept, measures, size) == 0 ? 0 : -1;
  memcpy(kept, measures, size);
  *state = wanted;
  return 0;
}

size_t outcomes_missing(const struct outcomes *outcomes) {
  size_t missing = 0;
  for (size_t i = 0; i < outcomes->design_count * outcomes->workload_count; i++)
    missing += outcomes->state[i] == OUTCOME_MISSING;
  return missing;
}
