#include "dse/run/run.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/process/ranks.h"
#include "base/progress.h"
#include "dse/run/cluster.h"

/* The cost of a family in exact replays, for the recording and for each design, and the number of designs that are
 * confirmed at the end, which only serve the estimate of the remaining time. Measured by tests/bench/bench_sweep.c on
 * the Mali-G71 MP8 (docs/scale.md); the number of designs is about that of the Pareto fronts and targets of shipped
 * sweeps. */
static const double recording_replays = 5, timing_replays = 0.025, confirmed_designs = 50;

struct work {
  const struct run *run;
  struct run_unit *units;
  size_t count, results;
  double seconds;
  bool sets_seconds; /* the base's, by workload */
  atomic_bool failed;
  size_t failed_unit;
  struct error error;
  struct progress progress;
};

/* ---- one unit ---- */

/* Returns the exact replays that take about as long as the unit. */
static double unit_replays(const struct families *families, const struct run_unit *unit) {
  return unit->is_family ? recording_replays + timing_replays * (double)run_unit_results(families, unit) : 1;
}

/* Returns the seconds of a processor that the unit is expected to take, or 0 if that is not known. */
static double unit_seconds(const struct run *run, const struct run_unit *unit) {
  return run->seconds ? run->seconds[unit->workload] * unit_replays(run->families, unit) : 0;
}

static size_t family_size(const struct families *families, size_t family) {
  return families->first[family + 1] - families->first[family];
}

size_t run_unit_results(const struct families *families, const struct run_unit *unit) {
  return unit->is_family ? family_size(families, unit->number) : 1;
}

static int do_design(const struct points *points, const struct evaluation *evaluation, const struct run_unit *unit,
                     struct run_result *result, struct error *error) {
  struct gpu_spec spec;
  points_spec(points, points->first_points[unit->number], &spec, NULL);
  result->design = unit->number;
  result->kind = unit->confirms ? OUTCOME_CONFIRMED : OUTCOME_EXACT;
  return evaluate(evaluation, &spec, unit->workload, result->values, error);
}

static int do_family(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                     const struct run_unit *unit, struct run_result *results, struct error *error) {
  const uint32_t *members = families->members + families->first[unit->number];
  const size_t count = family_size(families, unit->number), width = outcome_value_count();
  struct gpu_spec *specs = calloc(count, sizeof *specs);
  double *values = calloc(count * width, sizeof *values);
  bool exact[FAMILY_MOST];
  int status = specs && values ? 0 : error_no_memory(error);
  for (size_t i = 0; i < count && status == 0; i++)
    points_spec(points, points->first_points[members[i]], &specs[i], NULL);
  if (status == 0)
    status = evaluate_family(evaluation, specs, count, unit->workload, values, exact, error);
  for (size_t i = 0; i < count && status == 0; i++) {
    results[i].design = members[i];
    results[i].kind = exact[i] ? OUTCOME_EXACT : OUTCOME_APPROXIMATE;
    memcpy(results[i].values, values + i * width, width * sizeof *values);
  }
  free(specs);
  free(values);
  return status;
}

int run_unit_do(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                const struct run_unit *unit, struct run_result *results, struct error *error) {
  return unit->is_family ? do_family(points, evaluation, families, unit, results, error)
                         : do_design(points, evaluation, unit, results, error);
}

static int keep_one(const struct run *run, uint32_t workload, const struct run_result *result, struct error *error) {
  struct outcomes *outcomes = run->outcomes;
  const bool known = outcomes_has(outcomes, result->design, workload, result->kind);
  const int status = outcomes_put(outcomes, result->design, workload, result->values, result->kind);
  if (status > 0)
    return error_no_memory(error);
  if (status < 0)
    return error_set(error, ERROR_INPUT,
                     "the journal's result for %s on %s is not what this program predicts: another build wrote it; "
                     "choose another output folder",
                     result->design == 0 ? "the base GPU" : "a design", run->evaluation->workloads[workload].name);
  if (known || !run->journal)
    return 0;
  return sweep_journal_append(run->journal, result->design, workload, result->values, outcomes->value_count,
                              result->kind, error);
}

int run_keep(const struct run *run, uint32_t workload, const struct run_result *results, size_t count,
             struct error *error) {
  for (size_t i = 0; i < count; i++)
    if (keep_one(run, workload, &results[i], error) != 0)
      return -1;
  return 0;
}

/* ---- many units ---- */

/* Notes a failure. Of several failures the first unit's is reported, so that messages depend little on timing. */
static void fail(struct work *work, size_t unit, const struct error *error) {
  if (!atomic_load(&work->failed) || unit < work->failed_unit) {
    work->failed_unit = unit;
    work->error = *error;
  }
  atomic_store(&work->failed, true);
}

static void do_unit(struct work *work, size_t number) {
  const struct run *run = work->run;
  const struct run_unit *unit = &work->units[number];
  const size_t count = run_unit_results(run->families, unit);
  struct error error = ERROR_INIT;
  struct run_result *results = calloc(count, sizeof *results);
  const double start = clock_thread_seconds();
  int status = results ? run_unit_do(run->points, run->evaluation, run->families, unit, results, &error)
                       : error_no_memory(&error);
  const double seconds = clock_thread_seconds() - start;
#pragma omp critical(run_keep)
  {
    if (status == 0)
      status = run_keep(run, unit->workload, results, count, &error);
    work->seconds += seconds;
    if (work->sets_seconds && run->seconds)
      run->seconds[unit->workload] = seconds;
    if (status != 0)
      fail(work, number, &error);
    progress_add_work(&work->progress, count, unit_seconds(run, unit));
  }
  free(results);
}

static int do_all(struct work *work, struct error *error) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->run->jobs)
  for (size_t i = 0; i < work->count; i++)
    if (!atomic_load(&work->failed))
      do_unit(work, i);
  if (!work->failed)
    return 0;
  if (error)
    *error = work->error;
  return -1;
}

/* Evaluates the units of the list and frees it. */
static int do_listed(struct work *work, const char *label, bool by_cluster, double *seconds, struct error *error) {
  const struct run *run = work->run;
  const bool cluster = by_cluster && ranks_size() > 1 && !run->alone;
  double expected = 0;
  for (size_t i = 0; i < work->count; i++) {
    work->results += run_unit_results(run->families, &work->units[i]);
    expected += unit_seconds(run, &work->units[i]);
  }
  progress_start(&work->progress, label, "results", work->results, run->quiet);
  if (!cluster && !work->sets_seconds)
    progress_work(&work->progress, expected);
  const int status =
      cluster ? cluster_dispatch(run, work->units, work->count, &work->progress, error) : do_all(work, error);
  progress_end(&work->progress);
  free(work->units);
  *seconds = work->seconds;
  return status;
}

/* ---- lists of units ---- */

static bool unit_is_done(const struct run *run, const struct run_unit *unit) {
  const unsigned char *state = run->outcomes->state;
  const size_t workloads = run->evaluation->workload_count;
  if (!unit->is_family)
    return state[unit->number * workloads + unit->workload] != OUTCOME_MISSING;
  for (size_t i = run->families->first[unit->number]; i < run->families->first[unit->number + 1]; i++)
    if (state[run->families->members[i] * workloads + unit->workload] == OUTCOME_MISSING)
      return false;
  return true;
}

static void list_unit(const struct run *run, struct run_unit unit, size_t *ordinal, struct work *work) {
  const bool mine = (*ordinal)++ % run->shares == run->share;
  if (mine && !unit_is_done(run, &unit))
    work->units[work->count++] = unit;
}

/* Lists the remaining units, families first, because they take longest. Returns false when out of memory. */
static bool list_rest(const struct run *run, struct work *work) {
  const uint32_t workloads = (uint32_t)run->evaluation->workload_count;
  const struct families *families = run->families;
  size_t ordinal = 0;
  work->units = calloc((run->points->design_count + families->count + 1) * workloads + 1, sizeof *work->units);
  if (!work->units)
    return false;
  for (uint32_t f = 0; f < families->count; f++)
    for (uint32_t w = 0; w < workloads; w++)
      list_unit(run, (struct run_unit){true, false, f, w}, &ordinal, work);
  for (uint32_t d = 1; d < run->points->design_count; d++)
    for (uint32_t w = 0; w < workloads && !families->is_member[d]; w++)
      list_unit(run, (struct run_unit){false, false, d, w}, &ordinal, work);
  return true;
}

int run_base(const struct run *run, double *seconds, struct error *error) {
  const uint32_t workloads = (uint32_t)run->evaluation->workload_count;
  struct work work = {.run = run, .units = calloc(workloads + 1, sizeof *work.units), .sets_seconds = true};
  atomic_init(&work.failed, false);
  if (!work.units)
    return error_no_memory(error);
  for (uint32_t w = 0; w < workloads; w++)
    work.units[work.count++] = (struct run_unit){false, false, 0, w};
  return do_listed(&work, "base", false, seconds, error);
}

size_t run_remaining(const struct run *run, double *replays) {
  struct work work = {.run = run};
  size_t results = 0;
  *replays = 0;
  if (!list_rest(run, &work))
    return 0;
  for (size_t i = 0; i < work.count; i++) {
    const size_t count = run_unit_results(run->families, &work.units[i]);
    results += count;
    *replays += unit_replays(run->families, &work.units[i]);
  }
  free(work.units);
  return results;
}

double run_confirmations(const struct run *run) {
  const double members = (double)run->families->first[run->families->count];
  return fmin(members, confirmed_designs) * (double)run->evaluation->workload_count;
}

int run_rest(const struct run *run, struct error *error) {
  double seconds;
  struct work work = {.run = run};
  atomic_init(&work.failed, false);
  if (!list_rest(run, &work))
    return error_no_memory(error);
  return do_listed(&work, "sweep", true, &seconds, error);
}

int run_confirm(const struct run *run, const uint32_t *designs, size_t count, struct error *error) {
  const uint32_t workloads = (uint32_t)run->evaluation->workload_count;
  double seconds;
  struct work work = {.run = run, .units = calloc(count * workloads + 1, sizeof *work.units)};
  atomic_init(&work.failed, false);
  if (!work.units)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++)
    for (uint32_t w = 0; w < workloads; w++)
      if (outcomes_has(run->outcomes, designs[i], w, OUTCOME_APPROXIMATE) &&
          !outcomes_is_confirmed(run->outcomes, designs[i], w))
        work.units[work.count++] = (struct run_unit){false, true, designs[i], w};
  const int status = do_listed(&work, "confirming", true, &seconds, error);
  for (size_t i = 0; i < count && status == 0; i++)
    run->outcomes->shown_confirmed[designs[i]] = true;
  return status;
}
