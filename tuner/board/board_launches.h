/* The launches of a board's measurements, each once, and each measurement as a weighted sum of them.
 *
 * Shapes: measurement i is the sum over shares[first[i]] to shares[first[i + 1] - 1] of weight times launch.
 * Ownership: board_launches_make allocates, board_launches_clear frees; names are borrowed from the board.
 * Order: launches are in the order in which the measurements first name them, those of one workload (and choice of
 * work-groups) side by side. Cost: n log n. Threads: read-only after making. */
#ifndef TUNER_BOARD_LAUNCHES_H
#define TUNER_BOARD_LAUNCHES_H

#include "tuner/board/board.h"

struct board_launch {
  const char *workload, *groups; /* groups: NULL for all */
  unsigned launch;
  size_t measurement; /* the first one that names it, for messages */
};

struct board_share {
  size_t launch;
  double weight;
};

struct board_launches {
  struct board_launch *all;
  size_t count;
  struct board_share *shares;
  size_t *first; /* [measurements + 1] */
};

int board_launches_make(const struct board *board, struct board_launches *out, struct error *error);
void board_launches_clear(struct board_launches *launches);
/* Returns the sum of measurement i if launch j takes values[j]. */
double board_launches_sum(const struct board_launches *launches, size_t i, const double *values);
/* Compares launches by workload and choice of work-groups, without the number of the launch. */
int board_launches_order(const struct board_launch *a, const struct board_launch *b);

#endif
