#include "dse/answer/scores.h"

#include <math.h>
#include <stdlib.h>

#include "dse/sweep/area.h"

double objective_of(enum sweep_objective objective, const double *speedups, const double *base_ns, const double *ns,
                    size_t count) {
  double sum = 0, logs = 0, base_total = 0, total = 0;
  for (size_t i = 0; i < count; i++) {
    sum += speedups[i];
    logs += log(speedups[i]);
    base_total += base_ns[i];
    total += ns[i];
  }
  if (objective == OBJECTIVE_ARITHMETIC_MEAN)
    return sum / (double)count;
  if (objective == OBJECTIVE_TOTAL_TIME)
    return total > 0 ? base_total / total : NAN;
  return exp(logs / (double)count);
}

static double ratio(double a, double b) {
  return a > 0 && b > 0 ? a / b : NAN;
}

static double energy_of(const struct outcomes *outcomes, size_t design) {
  const size_t energy = outcome_value("energy_pj");
  double sum = 0;
  for (size_t w = 0; w < outcomes->workload_count; w++)
    sum += outcomes_at(outcomes, design, w)[energy];
  return sum;
}

static void score(const struct points *points, const struct outcomes *outcomes, size_t design, double *base_ns,
                  double *ns, struct scores *out) {
  const size_t time = outcome_value("time_ns"), count = outcomes->workload_count;
  double *speedups = &out->speedups[design * count];
  struct gpu_spec spec;
  for (size_t w = 0; w < count; w++) {
    base_ns[w] = outcomes_at(outcomes, 0, w)[time];
    ns[w] = outcomes_at(outcomes, design, w)[time];
    speedups[w] = ratio(base_ns[w], ns[w]);
  }
  points_spec(points, points->first_points[design], &spec, NULL);
  out->objective[design] = objective_of(points->sweep->objective, speedups, base_ns, ns, count);
  out->area[design] = area_proxy(&spec);
  out->energy_ratio[design] = ratio(energy_of(outcomes, design), energy_of(outcomes, 0));
}

int scores_compute(const struct points *points, const struct outcomes *outcomes, struct scores *out,
                   struct error *error) {
  const size_t designs = points->design_count, workloads = outcomes->workload_count;
  *out = (struct scores){.design_count = designs, .workload_count = workloads};
  out->speedups = calloc(designs * workloads + 1, sizeof *out->speedups);
  out->objective = calloc(designs, sizeof *out->objective);
  out->area = calloc(designs, sizeof *out->area);
  out->energy_ratio = calloc(designs, sizeof *out->energy_ratio);
  double *times = calloc(2 * workloads + 1, sizeof *times);
  int status = 0;
  if (!out->speedups || !out->objective || !out->area || !out->energy_ratio || !times)
    status = error_no_memory(error);
  for (size_t design = 0; design < designs && status == 0; design++)
    score(points, outcomes, design, times, times + workloads, out);
  free(times);
  if (status != 0)
    scores_clear(out);
  return status;
}

void scores_clear(struct scores *scores) {
  free(scores->speedups);
  free(scores->objective);
  free(scores->area);
  free(scores->energy_ratio);
  *scores = (struct scores){0};
}
