#include "cli/replay/measured.h"

#include <stdlib.h>
#include <string.h>

#include "cli/replay/trace_store.h"

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns the kernel of the launch, where the workload's kernels begin with `first`. A launch behind one that could not
 * be emulated shares that kernel's refusal. */
static size_t kernel_of(const struct replay *replay, size_t first, const struct board_launch *launch) {
  const size_t last = replay->count - 1, kernel = first + launch->launch;
  return kernel > last && replay->kernels[last].refusal ? last : kernel;
}

/* Checks kernels `first` and later of the replay, those of the workload that `launch` names: a launch is counted within
 * one workload, and a set has several. */
static int check_workload(const struct replay *replay, size_t first, const struct board *board,
                          const struct board_launch *launch, struct error *error) {
  const char *measurement = board->measurements[launch->measurement].name;
  for (size_t k = first; k < replay->count; k++)
    if (!same_text(replay->kernels[k].workload, replay->kernels[first].workload))
      return error_at(error, ERROR_INPUT, board->path, 0, 0, "workload",
                      "measurement %s: found the set %s, expected one workload (a member of the set)", measurement,
                      launch->workload);
  if (kernel_of(replay, first, launch) >= replay->count)
    return error_at(error, ERROR_INPUT, board->path, 0, 0, "launch",
                    "measurement %s: found %u; the last launch of workload %s is %zu", measurement, launch->launch,
                    launch->workload, replay->count - first - 1);
  return 0;
}

static int load_all(struct replay *replay, const struct board *board, const struct board_launches *launches,
                    const struct options *options, size_t *kernels, struct error *error) {
  size_t first = 0;
  for (size_t i = 0; i < launches->count; i++) {
    const struct board_launch *launch = &launches->all[i];
    if (i == 0 || board_launches_order(&launches->all[i - 1], launch) != 0) {
      first = replay->count;
      if (replay_load(replay, launch->workload, options, error) != 0)
        return board_blame(board, "workload", error);
    }
    if (check_workload(replay, first, board, launch, error) != 0)
      return -1;
    kernels[i] = kernel_of(replay, first, launch);
  }
  return 0;
}

/* Fewer traces lie in memory together, so that a long launch among them is replayed by several threads. */
enum { MANY_LAUNCHES = 64 };

/* Launches of a table's points, which may be thousands: their traces are kept. */
static int load_kept(struct replay *replay, const struct board *board, const struct board_launches *launches,
                     struct trace_store *store, bool load, const struct options *options, size_t *kernels,
                     struct error *error) {
  int status = trace_store_open(store, board, launches, error);
  if (status == 0)
    status = trace_store_make(store, options, error);
  if (status == 0)
    status = trace_store_add(store, replay, load || launches->count <= MANY_LAUNCHES, options, error);
  for (size_t i = 0; i < launches->count && status == 0; i++)
    kernels[i] = i;
  return status;
}

/* Returns whether a launch takes only some work-groups, which replay_load cannot do. */
static bool is_sampled(const struct board_launches *launches) {
  for (size_t i = 0; i < launches->count; i++)
    if (launches->all[i].groups)
      return true;
  return false;
}

int measured_add(struct replay *replay, const struct board *board, const struct board_launches *launches,
                 struct trace_store *files, const struct options *options, size_t **kernels, struct error *error) {
  struct trace_store own = {0};
  *kernels = calloc(launches->count, sizeof **kernels);
  if (!*kernels)
    return error_no_memory(error);
  const int status = board->is_table || is_sampled(launches)
                         ? load_kept(replay, board, launches, files ? files : &own, !files, options, *kernels, error)
                         : load_all(replay, board, launches, options, *kernels, error);
  trace_store_clear(&own);
  if (status == 0)
    return 0;
  free(*kernels);
  *kernels = NULL;
  return -1;
}

int measured_load_board(struct measured_board *m, struct replay *replay, const struct options *options,
                        struct error *error) {
  struct options as_measured = *options;
  struct gpu *own = replay->gpu;
  size_t *kernels;
  as_measured.seed_given = false;
  replay->gpu = m->gpu; /* its ISA profile may name a front end */
  const int loaded = measured_add(replay, m->board, &m->launches, NULL, &as_measured, &kernels, error);
  replay->gpu = own;
  if (loaded != 0)
    return -1;
  const struct trace **traces = calloc(m->launches.count, sizeof *traces);
  int status = traces ? 0 : error_no_memory(error);
  for (size_t i = 0; i < m->launches.count && status == 0; i++)
    traces[i] = replay->kernels[kernels[i]].trace;
  if (status == 0)
    status = measured_board_take(m, traces, options->jobs, error);
  free(traces);
  free(kernels);
  return status;
}

int measured_check_board(const char *board, struct error *error) {
  return board ? 0
               : error_set(error, ERROR_INPUT, "--board is missing; `reassemble list boards` names those that ship");
}
