#include "cli/validate/validation.h"

#include <stdlib.h>
#include <string.h>

#include "cli/validate/ablation_scores.h"
#include "tuner/objective/baseline.h"

static void collect(struct validation *v) {
  const struct board *board = v->board;
  const bool nanoseconds = strcmp(board->unit, "ns") == 0;
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    const struct replay_kernel *kernel = measured_kernel(&v->replay, board, v->launches, i);
    const struct sim_result *result = &kernel->result;
    v->kernel[i] = (size_t)(kernel - v->replay.kernels);
    v->measured[i] = m->value;
    v->predicted[i] = nanoseconds ? result->time_ns : result->cycles;
  }
  score_compute(v->measured, v->predicted, board->count, &v->score);
  score_ranks(v->measured, board->count, v->measured_rank);
  score_ranks(v->predicted, board->count, v->predicted_rank);
}

static int allocate(struct validation *v, struct error *error) {
  const size_t count = v->board->count;
  v->kernel = calloc(count, sizeof *v->kernel);
  v->measured = calloc(4 * count, sizeof *v->measured);
  if (v->kernel == NULL || v->measured == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  v->predicted = v->measured + count;
  v->measured_rank = v->measured + 2 * count;
  v->predicted_rank = v->measured + 3 * count;
  return 0;
}

/* Scores time proportional to issue slots, a baseline that a model has to beat. */
static int score_work(struct validation *v, struct error *error) {
  const size_t count = v->board->count;
  double *slots = calloc(2 * count, sizeof *slots);
  if (slots == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count; i++)
    slots[i] = v->replay.kernels[v->kernel[i]].result.issue_slots;
  baseline_of_work(v->measured, slots, count, false, slots + count);
  score_compute(v->measured, slots + count, count, &v->work);
  free(slots);
  return 0;
}

int validation_run(struct validation *v, const struct validation_setup *setup, const char *board, struct error *error) {
  const struct options *options = setup->options;
  *v = (struct validation){.setup = setup};
  if (board_load(board, &v->board, error) != 0 || allocate(v, error) != 0 ||
      board_load_gpu(v->board, setup->gpu, &v->replay.gpu, error) != 0)
    return -1;
  if (setup->ablate && ablation_check_reference(&v->replay.gpu->spec, setup->reference, error) != 0)
    return -1;
  if (measured_load(&v->replay, v->board, options, &v->launches, error) != 0 ||
      replay_simulate(&v->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  if (setup->ablate && ablation_run(&v->ablation, &v->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  collect(v);
  return score_work(v, error);
}

void validation_clear(struct validation *v) {
  ablation_clear(&v->ablation);
  replay_clear(&v->replay);
  board_destroy(v->board);
  free(v->launches);
  free(v->measured);
  free(v->kernel);
}
