/* A board, the GPU that predicts it, and the traces of what was measured: what tuning and learning start from.
 *
 * Steps: open (board file, GPU, measured values: cheap), load (traces; emulates), close. The seed of the options is not
 * that of the data: workloads are those that were measured. Ownership: close frees all. Threads: one. */
#ifndef CLI_MEASURED_BOARD_H
#define CLI_MEASURED_BOARD_H

#include "cli/core/measured.h"
#include "tuner/folds.h"
#include "tuner/evaluate/predictor.h"

struct measured_board {
  struct board *board;
  struct replay replay; /* with the GPU */
  double *measured;     /* [board->count] */

  /* load */
  struct measured_launches *launches;
  struct isa_profile *isa;
  const struct trace **traces; /* [board->count] */
  size_t *order;               /* [board->count]: longest first */
  struct simulated_kernels kernels;
  struct predictor predictor; /* its count is set by open */
};

/* `board_name` NULL: an error that names --board. `gpu` NULL: the one that the board file names. */
int measured_board_open(struct measured_board *m, const char *board_name, const char *gpu, struct error *error);
int measured_board_load(struct measured_board *m, double timeout_s, const struct options *options, struct error *error);
/* The folds that --cv asks for; after open. */
int measured_board_folds(const struct measured_board *m, const char *cv, uint64_t seed, struct folds *out,
                         struct error *error);
void measured_board_close(struct measured_board *m);

/* What is wrong with the measurements stands in the board file: names it in an error about input. Returns -1. */
int measured_board_blame(const struct measured_board *m, struct error *error);

#endif
