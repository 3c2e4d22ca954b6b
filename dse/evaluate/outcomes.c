#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dse/evaluate/evaluate.h"

int outcomes_init(struct outcomes *outcomes, size_t design_count, size_t workload_count, struct error *error) {
  size_t count;
  *outcomes = (struct outcomes){
      .design_count = design_count, .workload_count = workload_count, .value_count = outcome_value_count()};
  if (__builtin_mul_overflow(design_count, workload_count, &count))
    return error_no_memory(error);
  outcomes->values = number_table_create(count, outcomes->value_count);
  outcomes->state = calloc(count + 1, sizeof *outcomes->state);
  outcomes->confirmed = calloc(design_count + 1, sizeof *outcomes->confirmed);
  outcomes->shown_confirmed = calloc(design_count + 1, sizeof *outcomes->shown_confirmed);
  if (outcomes->values && outcomes->state && outcomes->confirmed && outcomes->shown_confirmed)
    return 0;
  outcomes_clear(outcomes);
  return error_set(error, ERROR_WORK, "out of memory: %zu designs on %zu workloads", design_count, workload_count);
}

void outcomes_clear(struct outcomes *outcomes) {
  for (size_t d = 0; d < outcomes->design_count && outcomes->confirmed; d++)
    free(outcomes->confirmed[d]);
  number_table_destroy(outcomes->values);
  free(outcomes->state);
  free(outcomes->confirmed);
  free(outcomes->shown_confirmed);
  *outcomes = (struct outcomes){0};
}

static size_t index_of(const struct outcomes *outcomes, size_t design, size_t workload) {
  assert(design < outcomes->design_count && workload < outcomes->workload_count);
  return design * outcomes->workload_count + workload;
}

bool outcomes_is_confirmed(const struct outcomes *outcomes, size_t design, size_t workload) {
  return outcomes->confirmed[design] && !isnan(outcomes->confirmed[design][workload * outcomes->value_count]);
}

double *outcomes_at(const struct outcomes *outcomes, size_t design, size_t workload) {
  if (outcomes->shown_confirmed[design] && outcomes_is_confirmed(outcomes, design, workload))
    return &outcomes->confirmed[design][workload * outcomes->value_count];
  return number_table_at(outcomes->values, index_of(outcomes, design, workload));
}

bool outcomes_exact(const struct outcomes *outcomes, size_t design, size_t workload) {
  return outcomes->state[index_of(outcomes, design, workload)] == OUTCOME_EXACT ||
         (outcomes->shown_confirmed[design] && outcomes_is_confirmed(outcomes, design, workload));
}

bool outcomes_all_exact(const struct outcomes *outcomes, size_t design) {
  for (size_t w = 0; w < outcomes->workload_count; w++)
    if (!outcomes_exact(outcomes, design, w))
      return false;
  return true;
}

static double *confirmed_values(struct outcomes *outcomes, size_t design) {
  const size_t numbers = outcomes->workload_count * outcomes->value_count;
  if (!outcomes->confirmed[design]) {
    outcomes->confirmed[design] = malloc((numbers + 1) * sizeof(double));
    for (size_t i = 0; i < numbers && outcomes->confirmed[design]; i++)
      outcomes->confirmed[design][i] = NAN;
  }
  return outcomes->confirmed[design];
}

static int confirm(struct outcomes *outcomes, size_t design, size_t workload, const double *values) {
  const bool known = outcomes_is_confirmed(outcomes, design, workload);
  double *kept = confirmed_values(outcomes, design);
  if (!kept)
    return 1;
  kept += workload * outcomes->value_count;
  if (known)
    return memcmp(kept, values, outcomes->value_count * sizeof *kept) == 0 ? 0 : -1;
  memcpy(kept, values, outcomes->value_count * sizeof *kept);
  return 0;
}

int outcomes_put(struct outcomes *outcomes, size_t design, size_t workload, const double *values,
                 enum outcome_kind kind) {
  const size_t index = index_of(outcomes, design, workload), size = outcomes->value_count * sizeof *values;
  if (kind == OUTCOME_CONFIRMED)
    return confirm(outcomes, design, workload, values);
  double *kept = number_table_at(outcomes->values, index);
  if (outcomes->state[index] != OUTCOME_MISSING)
    return outcomes->state[index] == kind && memcmp(kept, values, size) == 0 ? 0 : -1;
  memcpy(kept, values, size);
  outcomes->state[index] = (unsigned char)kind;
  return 0;
}

bool outcomes_has(const struct outcomes *outcomes, size_t design, size_t workload, enum outcome_kind kind) {
  return kind == OUTCOME_CONFIRMED ? outcomes_is_confirmed(outcomes, design, workload)
                                   : outcomes->state[index_of(outcomes, design, workload)] == kind;
}

size_t outcomes_missing(const struct outcomes *outcomes) {
  size_t missing = 0;
  for (size_t i = 0; i < outcomes->design_count * outcomes->workload_count; i++)
    missing += outcomes->state[i] == OUTCOME_MISSING;
  return missing;
}
