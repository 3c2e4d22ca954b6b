/* Predictions against one board: what `validate` does for each, and its output as text and as JSON (schema
 * reassemble.validate/1).
 *
 * Ownership: validation_run fills, validation_clear frees (after an error too).
 * Threads:   one; replays on `jobs`. */
#ifndef CLI_VALIDATION_H
#define CLI_VALIDATION_H

#include "cli/replay/ablation_run.h"
#include "cli/replay/measured.h"
#include "cli/core/view.h"
#include "tuner/board/board.h"
#include "cli/validate/validation_journal.h"
#include "tuner/objective/score.h"

struct validation_setup {
  const char *gpu; /* NULL: the one that the board file names */
  const struct options *options;
  bool ablate;
  const char *points;    /* which of each board; NULL: as its name says, else all */
  const char *reference; /* of the ablation, or NULL */
  const char *journal;   /* file that keeps results as they are known; NULL: none */
};

/* A measurement that the GPU cannot run, and why. */
struct validation_refusal {
  size_t point; /* index of the board's measurements */
  const char *reason;
};

struct validation {
  const struct validation_setup *setup;
  struct board *board;
  struct replay replay; /* with the GPU */
  struct board_launches launches;
  struct trace_store files; /* of the traces that are not in memory */
  struct validation_journal *journal;
  size_t *kernels;                                               /* [launches.count]: of the replay */
  size_t count;                                                  /* of the measurements that the GPU can run */
  size_t *point;                                                 /* [count]: index of the board's measurements */
  double *measured, *predicted, *measured_rank, *predicted_rank; /* one allocation, board->count each; count are used */
  double scale; /* that predicted has been multiplied by, 1 unless the board's scale is free */
  struct validation_refusal *refusals;
  size_t refusal_count;
  struct score score;
  struct score raw;         /* without the scale */
  struct score work;        /* of time proportional to issue slots, with the one scale that suits the board best */
  struct ablation ablation; /* of no variants unless asked for */
};

int validation_run(struct validation *v, const struct validation_setup *setup, const char *board, struct error *error);
void validation_clear(struct validation *v);

/* Members of the current object, without a schema. */
int validation_show(const struct validation *v, struct view *view, struct error *error);
/* Text alone: a row for each board. */
void validation_show_summary(const struct validation *list, size_t count, struct view *view);

#endif
