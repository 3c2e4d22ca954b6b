#include "tuner/evaluate/predictor.h"

#include <math.h>
#include <stdlib.h>

#include "base/process/ranks.h"
#include "model/retime/retime_record.h"
#include "model/simulate.h"
#include "tuner/evaluate/predictor_part.h"

static double in_unit(const struct simulated_kernels *kernels, const struct sim_result *result) {
  return kernels->unit_ns > 0 ? result->time_ns / kernels->unit_ns : result->cycles;
}

/* ---- work of launches ---- */

static double roofline_of(const struct gpu_spec *spec, const struct sim_result *result) {
  const double engines = (double)spec->cores * (double)spec->execution_engines;
  const double issue = result->issue_slots * spec->arith_cycles / engines;
  const double rate = spec->dram_bytes_per_cycle;
  return fmax(issue, rate > 0 ? (double)result->counters.dram_bytes / rate : 0);
}

static struct launch_work work_of(const struct gpu_spec *spec, const struct sim_result *result) {
  return (struct launch_work){true, (double)result->work_item_instructions, result->issue_slots,
                              roofline_of(spec, result)};
}

/* Keeps the work of a launch that was replayed exactly, if it is asked for on this GPU. */
static void keep_work(const struct simulated_kernels *kernels, size_t launch, const struct gpu_spec *spec,
                      const struct sim_result *result) {
  if (kernels->work && gpu_spec_same(spec, kernels->work_spec))
    kernels->work[launch] = work_of(spec, result);
}

/* ---- predictions of one launch ---- */

static double simulate_one(const struct simulated_kernels *kernels, size_t index, const struct gpu_spec *spec,
                           struct error *error) {
  const struct retime_recording *recorded = kernels->recorded ? kernels->recorded[index] : NULL;
  struct sim_result result = {0};
  double prediction = NAN;
  if (recorded && retime(recorded, spec, &result))
    return in_unit(kernels, &result);
  if (simulate(kernels->traces[index], kernels->isa, spec, &result, error) == 0) {
    keep_work(kernels, index, spec, &result);
    prediction = in_unit(kernels, &result);
  }
  sim_result_clear(&result);
  return prediction;
}

/* ---- shares of processes ---- */

/* Gives all processes the errors of all. */
static void join_errors(struct error *errors, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any |= errors[i].kind != ERROR_NONE;
  ranks_join(&any, sizeof any);
  if (any)
    ranks_join(errors, count * sizeof *errors);
}

/* ---- sums of launches ---- */

static size_t measurements_of(const struct simulated_kernels *kernels) {
  return kernels->sums ? kernels->measurements : kernels->count;
}

/* Writes the values of measurements, given `values` of launches. */
static void sum_launches(const struct simulated_kernels *kernels, const double *values, double *out) {
  for (size_t i = 0; i < measurements_of(kernels); i++)
    out[i] = kernels->sums ? board_launches_sum(kernels->sums, i, values) : values[i];
}

/* Judges the errors of a configuration: it is refused if one kernel refuses it; lack of memory is not a property of a
 * configuration. */
static int judge(struct error *errors, size_t count, double *predictions, struct error *refusal, struct error *error) {
  bool refused = false;
  for (size_t i = 0; i < count; i++) {
    if (errors[i].kind == ERROR_WORK)
      return error_set(error, ERROR_WORK, "%s", errors[i].text);
    if (errors[i].kind == ERROR_INPUT)
      error_at(refusal, ERROR_INPUT, NULL, 0, 0, errors[i].key, "%s", errors[i].text);
    refused |= errors[i].kind != ERROR_NONE;
  }
  for (size_t i = 0; i < count && refused; i++)
    predictions[i] = NAN;
  return 0;
}

/* Writes times[s * count + launch] for every spec s. A process simulates the launches that it owns, by their places in
 * the order, so that it meets its own recorded ones again. */
static void simulate_launches(const struct simulated_kernels *kernels, const struct gpu_spec *specs, size_t spec_count,
                              double *times, struct error *errors) {
  const size_t count = kernels->count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < spec_count * count; i++) {
    const size_t spec = i % spec_count, kernel = kernels->order[i / spec_count], at = spec * count + kernel;
    if (ranks_owns(i / spec_count))
      times[at] = simulate_one(kernels, kernel, &specs[spec], &errors[at]);
  }
  ranks_join(times, spec_count * count * sizeof *times);
  join_errors(errors, spec_count * count);
}

int predict_by_simulation(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                          struct error *refusal, struct error *error) {
  const struct simulated_kernels *kernels = context;
  const size_t count = kernels->count, all = spec_count * count;
  struct error *errors = calloc(all > 0 ? all : 1, sizeof *errors);
  double *times = calloc(all > 0 ? all : 1, sizeof *times);
  int status = ranks_agree(errors && times ? 0 : error_no_memory(error), error);
  if (status == 0)
    simulate_launches(kernels, specs, spec_count, times, errors);
  for (size_t s = 0; s < spec_count && status == 0; s++) {
    status = judge(errors + s * count, count, times + s * count, refusal, error);
    sum_launches(kernels, times + s * count, predictions + s * measurements_of(kernels));
  }
  free(errors);
  free(times);
  return status;
}

/* ---- movement of predictions ---- */

/* Writes the times of the launches of a measurement, except those that `known` marks. */
static int simulate_shares(const struct simulated_kernels *kernels, const struct gpu_spec *spec, size_t measurement,
                           double *times, bool *known, struct error *error) {
  const struct board_launches *sums = kernels->sums;
  const size_t first = sums ? sums->first[measurement] : measurement;
  const size_t end = sums ? sums->first[measurement + 1] : measurement + 1;
  for (size_t i = first; i < end; i++) {
    const size_t launch = sums ? sums->shares[i].launch : i;
    struct error of_launch = ERROR_INIT;
    if (!known[launch])
      times[launch] = simulate_one(kernels, launch, spec, &of_launch);
    known[launch] = true;
    if (of_launch.kind == ERROR_WORK)
      return error_set(error, ERROR_WORK, "%s", of_launch.text);
  }
  return 0;
}

/* Several processes do not stop at the first difference: each has only its own launches. */
static int any_moves_of_all(void *context, const struct gpu_spec *spec, const double *predictions, bool *moves,
                            struct error *error) {
  const size_t count = measurements_of(context);
  struct error refusal = ERROR_INIT;
  double *now = calloc(count + 1, sizeof *now);
  int status = ranks_agree(now ? 0 : error_no_memory(error), error);
  if (status == 0)
    status = predict_by_simulation(context, spec, 1, now, &refusal, error);
  *moves = false;
  for (size_t i = 0; i < count && status == 0; i++)
    *moves |= !(now[i] == predictions[i]);
  free(now);
  return status;
}

/* Sets *moves if a prediction on `spec` differs from the given one. A prediction that the model refuses is NaN and
 * counts as different. */
static int any_moves(void *context, const struct gpu_spec *spec, const double *predictions, bool *moves,
                     struct error *error) {
  if (ranks_size() > 1)
    return any_moves_of_all(context, spec, predictions, moves, error);
  const struct simulated_kernels *kernels = context;
  double *times = calloc(kernels->count + 1, sizeof *times);
  bool *known = calloc(kernels->count + 1, sizeof *known);
  int status = times && known ? 0 : error_no_memory(error);
  *moves = false;
  for (size_t i = 0; i < measurements_of(kernels) && !*moves && status == 0; i++) {
    status = simulate_shares(kernels, spec, i, times, known, error);
    *moves = !((kernels->sums ? board_launches_sum(kernels->sums, i, times) : times[i]) == predictions[i]);
  }
  free(times);
  free(known);
  return status;
}

/* ---- recorded replays ---- */

enum { MOST_RECORDED_BYTES = 1 << 30 }; /* limit of all kernels together */

/* Returns the launch's prediction on `spec`. */
static double record_one(const struct simulated_kernels *kernels, size_t index, const struct gpu_spec *spec,
                         struct retime_recording **out, struct error *error) {
  struct sim_result result = {0};
  if (retime_record(kernels->traces[index], kernels->isa, spec, 1, out, &result, error) != 0)
    return NAN;
  const double prediction = in_unit(kernels, &result);
  keep_work(kernels, index, spec, &result);
  sim_result_clear(&result);
  if (*out && retime_bytes(*out) > MOST_RECORDED_BYTES / kernels->count) {
    retime_destroy(*out);
    *out = NULL;
  }
  return prediction;
}

static void release_recorded(struct predictor *near) {
  struct simulated_kernels *kernels = near->context;
  for (size_t i = 0; kernels && i < kernels->count && kernels->recorded; i++)
    retime_destroy(kernels->recorded[i]);
  if (kernels)
    free(kernels->recorded);
  free(kernels);
  *near = (struct predictor){0};
}

static int first_of(const struct error *errors, size_t count, struct error *error) {
  for (size_t i = 0; i < count; i++)
    if (errors[i].kind != ERROR_NONE)
      return error_set(error, errors[i].kind, "%s", errors[i].text);
  return 0;
}

static int record_all(struct simulated_kernels *kernels, const struct gpu_spec *spec, double *predictions,
                      struct error *error) {
  struct error *errors = calloc(kernels->count + 1, sizeof *errors);
  double *times = calloc(kernels->count + 1, sizeof *times);
  const bool room = kernels->recorded && errors && times;
  int status = ranks_agree(room ? 0 : error_no_memory(error), error);
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < kernels->count; i++)
    if (status == 0 && ranks_owns(i)) {
      const size_t at = kernels->order[i];
      times[at] = record_one(kernels, at, spec, &kernels->recorded[at], &errors[i]);
    }
  if (status == 0) {
    ranks_join(times, kernels->count * sizeof *times);
    join_errors(errors, kernels->count);
    status = first_of(errors, kernels->count, error);
  }
  if (status == 0)
    sum_launches(kernels, times, predictions);
  free(errors);
  free(times);
  return status;
}

/* Returns whether any process has recorded a launch. */
static bool any_recorded(const struct simulated_kernels *kernels) {
  bool any = false;
  for (size_t i = 0; i < kernels->count; i++)
    any |= kernels->recorded[i] != NULL;
  ranks_join(&any, sizeof any);
  return any;
}

static int record_near(void *context, const struct gpu_spec *spec, struct predictor *out, double *predictions,
                       struct error *error) {
  const struct simulated_kernels *kernels = context;
  struct simulated_kernels *near = malloc(sizeof *near);
  *out = (struct predictor){.count = measurements_of(kernels),
                            .context = near,
                            .predict = predict_by_simulation,
                            .release = release_recorded,
                            .moves = any_moves};
  if (ranks_agree(near ? 0 : error_no_memory(error), error) != 0) {
    free(near);
    *out = (struct predictor){0};
    return -1;
  }
  *near = *kernels;
  near->recorded = calloc(kernels->count + 1, sizeof(struct retime_recording *));
  const int status = record_all(near, spec, predictions, error);
  if (status != 0 || !any_recorded(near))
    release_recorded(out);
  return status;
}

const struct predictor simulating_predictor = {
    .predict = predict_by_simulation, .near = record_near, .part = predict_part_by_simulation, .moves = any_moves};

/* Returns the work of a launch on `spec`. */
static struct launch_work count_one(const struct simulated_kernels *kernels, size_t launch, const struct gpu_spec *spec,
                                    struct error *error) {
  struct sim_result result = {0};
  if (kernels->work && kernels->work[launch].known && gpu_spec_same(spec, kernels->work_spec))
    return kernels->work[launch];
  simulate(kernels->traces[launch], kernels->isa, spec, &result, error);
  const struct launch_work work = work_of(spec, &result);
  sim_result_clear(&result);
  return work;
}

/* Writes the counts of every launch. */
static int count_launches(const struct simulated_kernels *kernels, const struct gpu_spec *spec,
                          struct kernel_work *launches, struct error *error) {
  struct error *errors = calloc(kernels->count + 1, sizeof *errors);
  if (ranks_agree(errors ? 0 : error_no_memory(error), error) != 0) {
    free(errors);
    return -1;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < kernels->count; i++) {
    const size_t at = kernels->order[i];
    if (!ranks_owns(i))
      continue;
    const struct launch_work work = count_one(kernels, at, spec, &errors[at]);
    launches->instructions[at] = work.instructions;
    launches->issue_slots[at] = work.issue_slots;
    launches->roofline[at] = work.roofline;
  }
  join_errors(errors, kernels->count);
  const int status = first_of(errors, kernels->count, error);
  free(errors);
  return status;
}

int count_work(const struct simulated_kernels *kernels, const struct gpu_spec *spec, struct kernel_work *work,
               struct error *error) {
  const size_t count = kernels->count;
  double *counts = calloc(3 * count + 1, sizeof *counts);
  if (ranks_agree(counts ? 0 : error_no_memory(error), error) != 0) {
    free(counts);
    return -1;
  }
  struct kernel_work launches = {counts, counts + count, counts + 2 * count};
  const int status = count_launches(kernels, spec, &launches, error);
  ranks_join(counts, 3 * count * sizeof *counts);
  if (status == 0) {
    sum_launches(kernels, launches.instructions, work->instructions);
    sum_launches(kernels, launches.issue_slots, work->issue_slots);
    sum_launches(kernels, launches.roofline, work->roofline);
  }
  free(counts);
  return status;
}
