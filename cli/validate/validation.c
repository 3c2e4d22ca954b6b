#include "cli/validate/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/core/budget.h"
#include "cli/validate/ablation_scores.h"
#include "tuner/objective/baseline.h"

static int allocate(struct validation *v, struct error *error) {
  const size_t count = v->board->count;
  v->point = calloc(count, sizeof *v->point);
  v->refusals = calloc(count, sizeof *v->refusals);
  v->measured = calloc(4 * count, sizeof *v->measured);
  if (!v->point || !v->refusals || !v->measured)
    return error_no_memory(error);
  v->predicted = v->measured + count;
  v->measured_rank = v->measured + 2 * count;
  v->predicted_rank = v->measured + 3 * count;
  return 0;
}

/* ---- predictions ---- */

/* Returns why the GPU cannot run measurement i; NULL: it can. */
static const char *find_refusal(const struct validation *v, size_t i) {
  for (size_t s = v->launches.first[i]; s < v->launches.first[i + 1]; s++) {
    const char *reason = v->replay.kernels[v->kernels[v->launches.shares[s].launch]].refusal;
    if (reason)
      return reason;
  }
  return NULL;
}

/* Writes the cycles, issue slots or time of each launch, as `value` returns them, for sums; 0 for a refused one. */
static double *launch_values(const struct validation *v, double (*value)(const struct sim_result *, double unit_ns)) {
  double *values = calloc(v->launches.count + 1, sizeof *values);
  const double unit_ns = board_unit_ns(v->board);
  for (size_t i = 0; values && i < v->launches.count; i++) {
    const struct replay_kernel *kernel = &v->replay.kernels[v->kernels[i]];
    values[i] = !kernel->refusal ? value(&kernel->result, unit_ns) : 0;
  }
  return values;
}

static double time_of(const struct sim_result *result, double unit_ns) {
  return unit_ns > 0 ? result->time_ns / unit_ns : result->cycles;
}

static double slots_of(const struct sim_result *result, double unit_ns) {
  (void)unit_ns;
  return result->issue_slots;
}

static int sum_launches(struct validation *v, struct error *error) {
  double *times = launch_values(v, time_of);
  if (!times)
    return error_no_memory(error);
  for (size_t i = 0; i < v->board->count; i++) {
    const char *reason = find_refusal(v, i);
    if (reason) {
      v->refusals[v->refusal_count++] = (struct validation_refusal){i, reason};
      continue;
    }
    v->point[v->count] = i;
    v->measured[v->count] = v->board->measurements[i].value;
    v->predicted[v->count++] = board_launches_sum(&v->launches, i, times);
  }
  free(times);
  if (v->count == 0)
    return error_set(error, ERROR_WORK, "%s: %s", v->board->measurements[0].name, v->refusals[0].reason);
  return 0;
}

/* ---- scores ---- */

/* Multiplies the predictions of a board whose scale is free by the scale of least MAPE. */
static int apply_scale(struct validation *v, struct error *error) {
  v->scale = 1;
  if (!v->board->free_scale)
    return 0;
  double *scaled = calloc(v->count, sizeof *scaled);
  if (!scaled)
    return error_no_memory(error);
  baseline_of_work(v->measured, v->predicted, v->count, false, scaled);
  v->scale = scaled[0] / v->predicted[0];
  memcpy(v->predicted, scaled, v->count * sizeof *scaled);
  free(scaled);
  return 0;
}

/* Scores time proportional to issue slots, a baseline that a model has to beat. */
static int score_work(struct validation *v, struct error *error) {
  double *slots = launch_values(v, slots_of), *sums = calloc(2 * v->count, sizeof *sums);
  int status = slots && sums ? 0 : error_no_memory(error);
  for (size_t i = 0; i < v->count && status == 0; i++)
    sums[i] = fmax(board_launches_sum(&v->launches, v->point[i], slots), 0);
  if (status == 0) {
    baseline_of_work(v->measured, sums, v->count, false, sums + v->count);
    score_compute(v->measured, sums + v->count, v->count, &v->work);
  }
  free(slots);
  free(sums);
  return status;
}

static int score_all(struct validation *v, struct error *error) {
  score_compute(v->measured, v->predicted, v->count, &v->raw);
  if (apply_scale(v, error) != 0)
    return -1;
  score_compute(v->measured, v->predicted, v->count, &v->score);
  score_ranks(v->measured, v->count, v->measured_rank);
  score_ranks(v->predicted, v->count, v->predicted_rank);
  return score_work(v, error);
}

/* ---- the whole ---- */

static int open_board(struct validation *v, const char *name, struct error *error) {
  char *chosen = v->setup->points ? text_format("%s:%s", name, v->setup->points) : strdup(name);
  const int status = chosen ? board_load(chosen, &v->board, error) : error_no_memory(error);
  free(chosen);
  return status;
}

static int open_journal(struct validation *v, struct error *error) {
  if (validation_journal_open(v->setup->journal, v->board, &v->replay, v->setup->ablate, &v->journal, error) != 0)
    return -1;
  v->replay.keeper = validation_journal_keeper(v->journal);
  budget_resumes(v->setup->journal, "the same command");
  return 0;
}

int validation_run(struct validation *v, const struct validation_setup *setup, const char *board, struct error *error) {
  const struct options *options = setup->options;
  *v = (struct validation){.setup = setup, .replay.tolerant = !setup->ablate, .replay.digests = setup->journal != NULL};
  if (open_board(v, board, error) != 0 || allocate(v, error) != 0 ||
      board_launches_make(v->board, &v->launches, error) != 0 ||
      board_load_gpu(v->board, setup->gpu, &v->replay.gpu, error) != 0)
    return -1;
  if (setup->ablate && ablation_check_reference(&v->replay.gpu->spec, setup->reference, error) != 0)
    return -1;
  if (measured_add(&v->replay, v->board, &v->launches, &v->files, options, &v->kernels, error) != 0)
    return -1;
  if (setup->journal && open_journal(v, error) != 0)
    return -1;
  if (replay_simulate(&v->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  if (setup->ablate && ablation_run(&v->ablation, &v->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  return sum_launches(v, error) == 0 ? score_all(v, error) : -1;
}

void validation_clear(struct validation *v) {
  ablation_clear(&v->ablation);
  replay_clear(&v->replay);
  trace_store_clear(&v->files);
  validation_journal_close(v->journal);
  board_launches_clear(&v->launches);
  board_destroy(v->board);
  free(v->kernels);
  free(v->measured);
  free(v->point);
  free(v->refusals);
}
