/* A board, the GPU that predicts it, and the traces of what was measured: what tuning and learning start from.
 *
 * The tuner does not emulate: whoever has the traces gives them.
 *
 * Steps:     open (board file, GPU, measured values: cheap); make the trace of each of `launches`; take (the traces);
 *            close.
 * Shapes:    `measured` is by measurement, [board->count]; `traces` and `order` are by launch, [launches.count].
 * Ownership: close frees all but the traces, which have to outlive what is done with the board. Errors that stem from
 *            the board file name it.
 * Threads:   one. */
#ifndef TUNER_MEASURED_BOARD_H
#define TUNER_MEASURED_BOARD_H

#include "tuner/board/board_launches.h"
#include "tuner/evaluate/predictor.h"
#include "tuner/folds.h"

struct measured_board {
  struct board *board;
  struct gpu *gpu;
  double *measured;
  struct board_launches launches;

  /* take */
  struct isa_profile *isa;
  const struct trace **traces;
  const struct trace **leading; /* by measurement: of its launch with the largest weight, whose features stand for it */
  size_t *order;                /* longest first */
  struct simulated_kernels kernels;
  struct predictor predictor; /* its count is set by open */
};

/* `board` and `gpu`: a shipped name or a file. `gpu` NULL: the one that the board file names. */
int measured_board_open(struct measured_board *m, const char *board, const char *gpu, struct error *error);
/* Predictions are made on `jobs` threads; they do not depend on how many. */
int measured_board_take(struct measured_board *m, const struct trace *const *traces, int jobs, struct error *error);
/* The folds that `cv` asks for, as `reassemble tune --cv` says it; after open. */
int measured_board_folds(const struct measured_board *m, const char *cv, uint64_t seed, struct folds *out,
                         struct error *error);
/* Returns the noise of the measurements as score_noise_percent says it; NaN where no spread is known or when out of
 * memory. */
double measured_board_noise_percent(const struct board *board);
void measured_board_close(struct measured_board *m);

/* Names the board file in an error about input that has no file, such as one about its measurements. Returns -1. */
int measured_board_blame(const struct measured_board *m, struct error *error);

#endif
