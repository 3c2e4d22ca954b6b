#include "cli/core/measured.h"

#include <stdio.h>
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

/* A name that is nowhere stands in the board file. */
static int name_board(const struct board *board, const char *key, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT) {
    snprintf(error->file, sizeof error->file, "%s", board->path);
    snprintf(error->key, sizeof error->key, "%s", key);
  }
  return -1;
}

int measured_load_gpu(struct replay *replay, const struct board *board, const char *name, struct error *error) {
  const int status = replay_load_gpu(replay, name != NULL ? name : board->gpu, error);
  return status != 0 && name == NULL ? name_board(board, "gpu", error) : status;
}

static int load_all(struct replay *replay, const struct board *board, double timeout_s, const struct options *options,
                    struct measured_launches *launches, struct error *error) {
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    size_t before = 0;
    while (before < i && strcmp(board->measurements[before].workload, m->workload) != 0)
      before++;
    launches[i] = before < i ? launches[before] : (struct measured_launches){.first = replay->count};
    if (before == i && replay_load(replay, m->workload, timeout_s, options, error) != 0)
      return name_board(board, "workload", error);
    if (before == i)
      launches[i].count = replay->count - launches[i].first;
    if (check_one_workload(replay, &launches[i], board, m, error) != 0)
      return -1;
  }
  return 0;
}

int measured_load(struct replay *replay, const struct board *board, double timeout_s, const struct options *options,
                  struct measured_launches **launches, struct error *error) {
  *launches = calloc(board->count, sizeof **launches);
  if (*launches == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  if (load_all(replay, board, timeout_s, options, *launches, error) == 0)
    return 0;
  free(*launches);
  *launches = NULL;
  return -1;
}

struct replay_kernel *measured_kernel(const struct replay *replay, const struct board *board,
                                      const struct measured_launches *launches, size_t i) {
  return &replay->kernels[launches[i].first + board->measurements[i].launch];
}
