#include "dse/run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/progress.h"
#include "dse/cluster.h"

/* A pair of design and workload; the base is design 0. */
struct work {
  const struct run *run;
  size_t *pairs, count;
  double seconds;
  atomic_bool failed;
  size_t failed_pair;
  struct error error;
  struct progress progress;
};

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int run_keep(const struct run *run, size_t design, size_t workload, const double *measures, bool exact,
             struct error *error) {
  struct outcomes *outcomes = run->outcomes;
  const bool known = outcomes->state[design * outcomes->workload_count + workload] != OUTCOME_MISSING;
  if (outcomes_put(outcomes, design, workload, measures, exact) != 0)
    return error_set(error, ERROR_INPUT,
                     "the journal's result for the base GPU on %s is not what this program predicts: another build "
                     "wrote it; choose another output folder",
                     run->evaluation->workloads[workload].name);
  if (known || run->journal == NULL)
    return 0;
  return journal_append(run->journal, design, workload, measures, outcomes->measure_count, exact, error);
}

/* Of several failures the first pair's is reported, so that messages depend on timing as little as may be. */
static void fail(struct work *work, size_t pair, const struct error *error) {
  if (!atomic_load(&work->failed) || pair < work->failed_pair) {
    work->failed_pair = pair;
    work->error = *error;
  }
  atomic_store(&work->failed, true);
}

static void do_pair(struct work *work, size_t pair) {
  const struct run *run = work->run;
  const size_t design = pair / run->evaluation->workload_count, workload = pair % run->evaluation->workload_count;
  struct gpu_spec spec;
  struct error error = ERROR_INIT;
  double measures[MOST_MEASURES];
  bool exact;
  points_spec(run->points, run->points->first_points[design], &spec, NULL);
  const double start = now_s();
  int status = evaluate(run->evaluation, &spec, workload, measures, &exact, &error);
  const double seconds = now_s() - start;
#pragma omp critical(run_keep)
  {
    if (status == 0)
      status = run_keep(run, design, workload, measures, exact, &error);
    work->seconds += seconds;
    if (status != 0)
      fail(work, pair, &error);
  }
  progress_add(&work->progress, 1);
}

static int do_all(struct work *work, const char *label, struct error *error) {
  progress_start(&work->progress, label, "replays", work->count, work->run->quiet);
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->run->jobs)
  for (size_t i = 0; i < work->count; i++)
    if (!atomic_load(&work->failed))
      do_pair(work, work->pairs[i]);
  progress_end(&work->progress);
  if (!work->failed)
    return 0;
  if (error != NULL)
    *error = work->error;
  return -1;
}

static int dispatch_all(struct work *work, struct error *error) {
  progress_start(&work->progress, "sweep", "replays", work->count, work->run->quiet);
  const int status = cluster_dispatch(work->run, work->pairs, work->count, work->run->digest, &work->progress, error);
  progress_end(&work->progress);
  return status;
}

/* The pairs to do: all of the base, or those without a result that belong to the share. */
static size_t list_pairs(const struct run *run, bool base, size_t *pairs) {
  const size_t workloads = run->evaluation->workload_count;
  const size_t total = base ? workloads : run->points->design_count * workloads;
  size_t count = 0;
  for (size_t pair = base ? 0 : workloads; pair < total; pair++) {
    if (!base && (run->outcomes->state[pair] != OUTCOME_MISSING || pair % run->shares != run->share))
      continue;
    if (pairs != NULL)
      pairs[count] = pair;
    count++;
  }
  return count;
}

static int do_listed(const struct run *run, bool base, double *seconds, struct error *error) {
  struct work work = {.run = run, .count = list_pairs(run, base, NULL)};
  atomic_init(&work.failed, false);
  work.pairs = malloc((work.count + 1) * sizeof *work.pairs);
  if (work.pairs == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  list_pairs(run, base, work.pairs);
  const int status =
      !base && cluster_size() > 1 ? dispatch_all(&work, error) : do_all(&work, base ? "base" : "sweep", error);
  free(work.pairs);
  *seconds = work.seconds;
  return status;
}

int run_base(const struct run *run, double *seconds, struct error *error) {
  return do_listed(run, true, seconds, error);
}

size_t run_remaining(const struct run *run) {
  return list_pairs(run, false, NULL);
}

int run_rest(const struct run *run, struct error *error) {
  double seconds;
  return do_listed(run, false, &seconds, error);
}
