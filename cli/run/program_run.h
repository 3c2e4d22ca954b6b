/* One run of a program on a virtual board, from its start to its end: the layer and the clocks around it, predictions
 * while it runs, and what it did afterwards.
 *
 * Ownership: program_run_start_to_end fills *out, whatever it returns; program_run_clear frees it and removes the
 * capture's folder. Boards are borrowed. Errors: a program that cannot be started; how it ended is in `child`. Threads:
 * the first. */
#ifndef CLI_PROGRAM_RUN_H
#define CLI_PROGRAM_RUN_H

#include "base/error.h"
#include "cli/program/child_program.h"
#include "cli/run/predictor.h"
#include "cli/run/program_binary.h"
#include "cli/run/timed_program.h"
#include "cli/run/virtual_board_file.h"

struct program_run_wish {
  const struct options *options;
  const char *const *words; /* [word_count]: the program and its arguments */
  size_t word_count;
  int output; /* the descriptor that the program gets as its standard output */
  bool watch_counter;
  int64_t space_bytes;
  enum out_of_bounds out_of_bounds;
  const struct virtual_board *boards; /* [board_count]: the program believes to run on the first */
  size_t board_count;
};

struct program_run {
  const struct program_run_wish *wish;
  struct gpu **gpus;
  char *folder;
  struct child_program child;
  struct binary_watch binary;
  bool was_watched; /* until the program ended by itself */
  struct predictor predictor;
  struct timed_program *timed; /* [board_count] */
  bool time_is_read;           /* the program asked for the time, so it may do something else on another board */
  bool counter_is_read;        /* of the processor, with watch_counter */
  unsigned uncovered_calls;    /* bits of enum uncovered_call */
};

int program_run_start_to_end(const struct program_run_wish *wish, struct program_run *out, struct error *error);
void program_run_clear(struct program_run *run);

#endif
