#include "tuner/measured_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int measured_board_open(struct measured_board *m, const char *board, const char *gpu, struct error *error) {
  *m = (struct measured_board){.predictor = simulating_predictor};
  if (board_load(board, &m->board, error) != 0 || board_load_gpu(m->board, gpu, &m->gpu, error) != 0)
    return -1;
  const size_t count = m->board->count;
  m->measured = calloc(count, sizeof *m->measured);
  m->traces = calloc(count, sizeof *m->traces);
  m->order = calloc(count, sizeof *m->order);
  if (m->measured == NULL || m->traces == NULL || m->order == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count; i++)
    m->measured[i] = m->board->measurements[i].value;
  m->predictor.count = count;
  m->predictor.context = &m->kernels;
  return 0;
}

int measured_board_folds(const struct measured_board *m, const char *cv, uint64_t seed, struct folds *out,
                         struct error *error) {
  const size_t count = m->board->count;
  const char **groups = calloc(count, sizeof *groups);
  int status = groups != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count && status == 0; i++)
    groups[i] = m->board->measurements[i].group;
  if (status == 0 && folds_make(cv, count, groups, seed, out, error) != 0)
    status = strcmp(error->key, "--cv") == 0 ? measured_board_blame(m, error) : -1;
  free(groups);
  return status;
}

/* What took long on the board takes long to simulate: it goes first. */
static void order_by_time(struct measured_board *m) {
  for (size_t i = 0; i < m->board->count; i++) {
    size_t at = i;
    for (; at > 0 && m->measured[m->order[at - 1]] < m->measured[i]; at--)
      m->order[at] = m->order[at - 1];
    m->order[at] = i;
  }
}

int measured_board_take(struct measured_board *m, const struct trace *const *traces, int jobs, struct error *error) {
  if (isa_load(m->gpu->isa, &m->isa, error) != 0)
    return -1;
  memcpy(m->traces, traces, m->board->count * sizeof *traces);
  order_by_time(m);
  m->kernels = (struct simulated_kernels){.traces = m->traces,
                                          .count = m->board->count,
                                          .isa = m->isa,
                                          .nanoseconds = strcmp(m->board->unit, "ns") == 0,
                                          .jobs = jobs,
                                          .order = m->order};
  return 0;
}

void measured_board_close(struct measured_board *m) {
  isa_destroy(m->isa);
  gpu_destroy(m->gpu);
  board_destroy(m->board);
  free(m->traces);
  free(m->order);
  free(m->measured);
}

int measured_board_blame(const struct measured_board *m, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT)
    snprintf(error->file, sizeof error->file, "%s", m->board->path);
  return -1;
}
