#include "cli/replay/measured.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* A launch is counted within one workload: a set has several. */
static int check_one_workload(const struct replay *replay, const struct measured_launches *launches,
                              const struct board *board, const struct board_measurement *m, struct error *error) {
  for (size_t k = launches->first; k < launches->first + launches->count; k++)
    if (!same_text(replay->kernels[k].workload, replay->kernels[launches->first].workload))
      return error_at(error, ERROR_INPUT, board->path, 0, 0, "workload",
                      "measurement %s: found the set %s, expected one workload (a member of the set)", m->name,
                      m->workload);
  if (m->launch >= launches->count)
    return error_at(error, ERROR_INPUT, board->path, 0, 0, "launch",
                    "measurement %s: found %u; the last launch of workload %s is %zu", m->name, m->launch, m->workload,
                    launches->count - 1);
  return 0;
}

static int load_all(struct replay *replay, const struct board *board, const struct options *options,
                    struct measured_launches *launches, struct error *error) {
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    size_t before = 0;
    while (before < i && strcmp(board->measurements[before].workload, m->workload) != 0)
      before++;
    launches[i] = before < i ? launches[before] : (struct measured_launches){.first = replay->count};
    if (before == i && replay_load(replay, m->workload, options, error) != 0)
      return board_blame(board, "workload", error);
    if (before == i)
      launches[i].count = replay->count - launches[i].first;
    if (check_one_workload(replay, &launches[i], board, m, error) != 0)
      return -1;
  }
  return 0;
}

int measured_load(struct replay *replay, const struct board *board, const struct options *options,
                  struct measured_launches **launches, struct error *error) {
  *launches = calloc(board->count, sizeof **launches);
  if (*launches == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  if (load_all(replay, board, options, *launches, error) == 0)
    return 0;
  free(*launches);
  *launches = NULL;
  return -1;
}

struct replay_kernel *measured_kernel(const struct replay *replay, const struct board *board,
                                      const struct measured_launches *launches, size_t i) {
  return &replay->kernels[launches[i].first + board->measurements[i].launch];
}

int measured_load_board(struct measured_board *m, struct replay *replay, const struct options *options,
                        struct error *error) {
  struct options as_measured = *options;
  struct measured_launches *launches;
  as_measured.seed_given = false;
  if (measured_load(replay, m->board, &as_measured, &launches, error) != 0)
    return -1;
  const struct trace **traces = calloc(m->board->count, sizeof *traces);
  int status = traces != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < m->board->count && status == 0; i++)
    traces[i] = measured_kernel(replay, m->board, launches, i)->trace;
  if (status == 0)
    status = measured_board_take(m, traces, options->jobs, error);
  free(traces);
  free(launches);
  return status;
}

int measured_check_board(const char *board, struct error *error) {
  return board != NULL
             ? 0
             : error_set(error, ERROR_INPUT, "--board is missing; `reassemble list boards` names those that ship");
}
