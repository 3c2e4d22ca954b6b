/* A board, the GPU that predicts it, and the traces of its measured launches, from which tuning and learning start.
 *
 * The tuner does not emulate; the caller provides the traces.
 *
 * Steps: open (board file, GPU, measured values: cheap); make the trace of each of `launches`; take (the traces);
 * close.
 * Shapes: `measured` is by measurement, [board->count]; `traces`, `order` and `work` are by launch,
 * [launches.count].
 * Ownership: close frees everything except the traces, which must exist as long as the board is used. Errors that stem
 * from the board file name it.
 * Threads: one. */
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

  /* The following members are set by measured_board_take. */
  struct isa_profile *isa;
  const struct trace **traces;
  const struct trace **leading; /* by measurement: that of its launch with the largest weight */
  size_t *order;                /* longest first */
  struct launch_work *work;     /* by launch, on the GPU */
  struct simulated_kernels kernels;
  struct predictor predictor; /* measured_board_open sets its count */
};

/* Opens a board and a GPU. Each is a shipped name or a file; a `gpu` of NULL is the one that the board file names. */
int measured_board_open(struct measured_board *m, const char *board, const char *gpu, struct error *error);
/* Takes the traces. Predictions are made on `jobs` threads, on whose number they do not depend. */
int measured_board_take(struct measured_board *m, const struct trace *const *traces, int jobs, struct error *error);
/* Makes the folds that `cv` names, in the form of `reassemble tune --cv`, after measured_board_open. */
int measured_board_folds(const struct measured_board *m, const char *cv, uint64_t seed, struct folds *out,
                         struct error *error);
/* Returns the noise of the measurements as score_noise_percent defines it; NaN if no spread is known or when out of
 * memory. */
double measured_board_noise_percent(const struct board *board);
void measured_board_close(struct measured_board *m);

/* Adds the board file to an error about input that names no file. Returns -1. */
int measured_board_blame(const struct measured_board *m, struct error *error);

#endif
