/* The choice of the points of a board that are used.
 *
 * A board may state a split: a number of points, chosen by a seed, half of them to fit parameters ("train") and half to
 * judge them ("test"); no tuning has seen the points outside of it. Points are stratified by measured time: sorted by
 * it and cut into as many equal parts as points are wanted, each of which gives one at random. Of each two neighbouring
 * parts one, at random, gives its point to "train" and the other to "test".
 * Choices: "all", "train", "test", "train=N" and "test=N" (N of that half, evenly by time), a number N (N stratified
 * points; the split's number gives its points), "unseen=N" (N stratified points outside of the split).
 * Determinism: by the values, the split and the choice. Cost: n log n. Threads: any. */
#ifndef TUNER_BOARD_CHOICE_H
#define TUNER_BOARD_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct board_split {
  size_t points; /* 0: the board states no split */
  uint64_t seed;
};

/* Returns whether the text has the form of a choice. */
bool board_choice_is_known(const char *choice);
/* Returns the length of the name before the choice, or that of the text if it has none. */
size_t board_name_length(const char *name_or_path);
/* Writes the chosen indices in ascending order to *indices, which the caller frees. */
int board_choose(const char *choice, const double *values, size_t count, const struct board_split *split,
                 size_t **indices, size_t *chosen, struct error *error);

#endif
