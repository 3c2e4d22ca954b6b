#include "cli/run/program_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/core/temporary.h"

#define WATCH_NS 200000 /* between looks at the program */

/* The environment. */

static const char *clock_path(void) {
  return access(REASSEMBLE_CLOCK_INSTALLED, R_OK) == 0 ? REASSEMBLE_CLOCK_INSTALLED : REASSEMBLE_CLOCK_BUILT;
}

/* The library of clocks is loaded before those that the user wants loaded first. */
static int set_clocks(const struct program_run_wish *wish, struct error *error) {
  const char *others = getenv("LD_PRELOAD");
  char *list = text_format("%s%s%s", clock_path(), others ? ":" : "", others ? others : "");
  char *scale = text_format("%.17g", wish->boards[0].host_scale);
  const bool set = list && scale && !setenv("LD_PRELOAD", list, 1) && !setenv("REASSEMBLE_HOST_SCALE", scale, 1);
  free(list);
  free(scale);
  if (wish->watch_counter)
    setenv("REASSEMBLE_WATCH_COUNTER", "1", 1);
  return set ? 0 : error_no_memory(error);
}

static void unset_clocks(const char *before) {
  unsetenv("REASSEMBLE_HOST_SCALE");
  unsetenv("REASSEMBLE_WATCH_COUNTER");
  if (before)
    setenv("LD_PRELOAD", before, 1);
  else
    unsetenv("LD_PRELOAD");
}

static int set_environment(const struct program_run *r, struct error *error) {
  const struct program_run_wish *w = r->wish;
  return child_layer_set(r->folder, error) ||
                 child_set_number("REASSEMBLE_CAPTURE_BYTES", (uint64_t)w->space_bytes, error) ||
                 child_set_number("REASSEMBLE_CAPTURE_AFTER", w->boards[0].compares, error) ||
                 virtual_board_write(&w->boards[0], r->folder, error) || set_clocks(w, error)
             ? -1
             : 0;
}

/* The program. */

static int start(struct program_run *r, struct error *error) {
  const struct program_run_wish *w = r->wish;
  const char *preloaded = getenv("LD_PRELOAD");
  char *before = preloaded ? strdup(preloaded) : NULL;
  int status = set_environment(r, error);
  if (!status)
    status = child_start(&r->child, w->words, w->word_count, w->output, error);
  child_layer_unset();
  unset_clocks(before);
  free(before);
  return status;
}

static int watch(struct program_run *r, struct error *error) {
  static const struct timespec pause = {.tv_nsec = WATCH_NS};
  bool any;
  r->binary.process = r->child.process;
  for (binary_watch_look(&r->binary); !child_has_ended(&r->child); binary_watch_look(&r->binary)) {
    if (predictor_advance(&r->predictor, &any, error))
      return -1;
    if (!any)
      nanosleep(&pause, NULL);
  }
  return predictor_advance(&r->predictor, &any, error);
}

static int read_times(struct program_run *r, struct error *error) {
  const struct capture_control *control = r->predictor.capture.control;
  for (size_t i = 0; i < r->wish->board_count; i++) {
    const struct host_costs costs = board_costs(&r->wish->boards[i]);
    if (timed_program_read(&r->predictor, i, &costs, &r->timed[i], error))
      return -1;
  }
  if (atomic_load(&control->times_are_lost))
    return error_set(error, ERROR_WORK,
                     "times of the program are lost: it had no memory or no room on the disk for them");
  r->time_is_read = atomic_load(&control->time_is_read);
  r->counter_is_read = atomic_load(&control->counter_is_read);
  r->uncovered_calls = atomic_load(&control->uncovered_calls);
  return 0;
}

static int prepare(struct program_run *r, struct error *error) {
  const size_t count = r->wish->board_count;
  r->gpus = calloc(count, sizeof *r->gpus);
  r->timed = calloc(count, sizeof *r->timed);
  if (!r->gpus || !r->timed)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++)
    r->gpus[i] = r->wish->boards[i].gpu;
  return temporary_create(&r->folder, error);
}

static int open_predictor(struct program_run *r, struct error *error) {
  const struct virtual_board *board = &r->wish->boards[0];
  if (predictor_open(r->folder, r->gpus, r->wish->board_count, r->wish->options, &r->predictor, error))
    return -1;
  r->predictor.out_of_bounds = r->wish->out_of_bounds;
  r->predictor.compares = board->compares;
  r->predictor.whole = board->compares || board->emulates;
  r->predictor.capture.keeps_results = board->emulates;
  return 0;
}

int program_run_start_to_end(const struct program_run_wish *wish, struct program_run *r, struct error *error) {
  *r = (struct program_run){.wish = wish};
  if (prepare(r, error) || open_predictor(r, error) || start(r, error))
    return -1;
  if (watch(r, error)) {
    child_stop(&r->child);
    return -1;
  }
  r->was_watched = true;
  return read_times(r, error);
}

void program_run_clear(struct program_run *r) {
  predictor_close(&r->predictor);
  for (size_t i = 0; r->timed && i < r->wish->board_count; i++)
    timed_program_clear(&r->timed[i]);
  if (r->folder)
    temporary_remove(r->folder);
  free(r->gpus);
  free(r->timed);
  *r = (struct program_run){0};
}
