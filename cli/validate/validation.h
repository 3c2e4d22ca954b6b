/* Predictions against one board: what `validate` does for each, and its output as text and as JSON (schema
 * reassemble.validate/1).
 *
 * Ownership: validation_run fills, validation_clear frees (after an error too). Threads: one; replays on `jobs`. */
#ifndef CLI_VALIDATION_H
#define CLI_VALIDATION_H

#include <jansson.h>

#include "cli/simulate/ablation_report.h"
#include "cli/core/measured.h"
#include "tuner/board/board.h"
#include "tuner/objective/score.h"

struct validation_setup {
  struct replay_options replay;
  const struct options *options;
  bool ablate;
  const char *reference; /* of the ablation, or NULL */
};

struct validation {
  const struct validation_setup *setup;
  struct board *board;
  struct replay replay; /* with the GPU */
  struct measured_launches *launches;
  double *measured, *predicted, *measured_rank, *predicted_rank; /* one allocation, board->count each */
  size_t *kernel;                                                /* [board->count]: of the replay */
  struct score score;
  struct score work;        /* of time proportional to issue slots, with the one scale that suits the board best */
  struct ablation ablation; /* of no variants unless asked for */
};

int validation_run(struct validation *v, const struct validation_setup *setup, const char *board, struct error *error);
void validation_clear(struct validation *v);

int validation_print(const struct validation *v, struct error *error);
json_t *validation_json(const struct validation *v, struct error *error); /* NULL with an error */

/* A row for each board. */
int validation_print_summary(const struct validation *list, size_t count, struct error *error);

#endif
