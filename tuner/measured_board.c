#include "tuner/measured_board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/objective/score.h"

static int allocate(struct measured_board *m, struct error *error) {
  m->measured = calloc(m->board->count, sizeof *m->measured);
  m->traces = calloc(m->launches.count, sizeof *m->traces);
  m->leading = calloc(m->board->count, sizeof *m->leading);
  m->order = calloc(m->launches.count, sizeof *m->order);
  m->work = calloc(m->launches.count, sizeof *m->work);
  const bool room = m->measured && m->traces && m->leading && m->order && m->work;
  return room ? 0 : error_no_memory(error);
}

int measured_board_open(struct measured_board *m, const char *board, const char *gpu, struct error *error) {
  *m = (struct measured_board){.predictor = simulating_predictor};
  if (board_load(board, &m->board, error) != 0 || board_load_gpu(m->board, gpu, &m->gpu, error) != 0 ||
      board_launches_make(m->board, &m->launches, error) != 0 || allocate(m, error) != 0)
    return -1;
  for (size_t i = 0; i < m->board->count; i++)
    m->measured[i] = m->board->measurements[i].value;
  m->predictor.count = m->board->count;
  m->predictor.context = &m->kernels;
  return 0;
}

int measured_board_folds(const struct measured_board *m, const char *cv, uint64_t seed, struct folds *out,
                         struct error *error) {
  const size_t count = m->board->count;
  const char **groups = calloc(count, sizeof *groups);
  int status = groups ? 0 : error_no_memory(error);
  for (size_t i = 0; i < count && status == 0; i++)
    groups[i] = m->board->measurements[i].group;
  if (status == 0 && folds_make(cv, count, groups, seed, out, error) != 0)
    status = strcmp(error->key, "--cv") == 0 ? measured_board_blame(m, error) : -1;
  free(groups);
  return status;
}

/* Orders launches by the time of the first measurement that they are part of: a launch that took long on the board
 * takes long to simulate, and is started first. */
static void order_by_time(struct measured_board *m) {
  const struct board_launch *all = m->launches.all;
  for (size_t i = 0; i < m->launches.count; i++) {
    size_t at = i;
    for (; at > 0 && m->measured[all[m->order[at - 1]].measurement] < m->measured[all[i].measurement]; at--)
      m->order[at] = m->order[at - 1];
    m->order[at] = i;
  }
}

static const struct trace *leading_trace(const struct measured_board *m, size_t i) {
  const struct board_launches *launches = &m->launches;
  size_t best = launches->first[i];
  for (size_t s = best + 1; s < launches->first[i + 1]; s++)
    if (fabs(launches->shares[s].weight) > fabs(launches->shares[best].weight))
      best = s;
  return m->traces[launches->shares[best].launch];
}

int measured_board_take(struct measured_board *m, const struct trace *const *traces, int jobs, struct error *error) {
  if (isa_load(m->gpu->isa, &m->isa, error) != 0)
    return -1;
  memcpy(m->traces, traces, m->launches.count * sizeof *traces);
  for (size_t i = 0; i < m->board->count; i++)
    m->leading[i] = leading_trace(m, i);
  order_by_time(m);
  m->kernels = (struct simulated_kernels){.traces = m->traces,
                                          .count = m->launches.count,
                                          .sums = &m->launches,
                                          .measurements = m->board->count,
                                          .isa = m->isa,
                                          .unit_ns = board_unit_ns(m->board),
                                          .jobs = jobs,
                                          .order = m->order,
                                          .work_spec = &m->gpu->spec,
                                          .work = m->work};
  return 0;
}

double measured_board_noise_percent(const struct board *board) {
  double *numbers = calloc(2 * board->count + 1, sizeof *numbers), noise = NAN;
  for (size_t i = 0; numbers && i < board->count; i++) {
    numbers[i] = board->measurements[i].value;
    numbers[board->count + i] = board->measurements[i].spread;
  }
  if (numbers)
    noise = score_noise_percent(numbers, numbers + board->count, board->count);
  free(numbers);
  return noise;
}

void measured_board_close(struct measured_board *m) {
  board_launches_clear(&m->launches);
  isa_destroy(m->isa);
  gpu_destroy(m->gpu);
  board_destroy(m->board);
  free(m->traces);
  free(m->leading);
  free(m->order);
  free(m->work);
  free(m->measured);
}

int measured_board_blame(const struct measured_board *m, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT)
    snprintf(error->file, sizeof error->file, "%s", m->board->path);
  return -1;
}
