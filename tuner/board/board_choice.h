/* Which points of a board are taken.
 *
 * A board may state a split: so many points, chosen by a seed, half of them to fit parameters ("train") and half to
 * judge them ("test"); what is outside of it no tuning has seen. Points are stratified by measured time: sorted by it
 * and cut into as many equal parts as points are wanted, of which each gives one at random. Of each two neighbouring
 * parts one, at random, gives its point to "train" and the other to "test".
 * Choices:   "all", "train", "test", "train=N" and "test=N" (N of that half, evenly by time), a number N (N stratified
 *            points; the split's number gives its points), "unseen=N" (N stratified points outside of the split).
 * Determinism: by the values, the split and the choice. Cost: n log n. Threads: none is shared. */
#ifndef TUNER_BOARD_CHOICE_H
#define TUNER_BOARD_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct board_split {
  size_t points; /* 0: the board states none */
  uint64_t seed;
};

/* Returns whether the text has the form of a choice. */
bool board_choice_is_known(const char *choice);
/* Returns the length of the name before the choice; the text's length where there is none. */
size_t board_name_length(const char *name_or_path);
/* Writes the chosen indices in ascending order to *rows, which the caller frees. */
int board_choose(const char *choice, const double *values, size_t count, const struct board_split *split, size_t **rows,
                 size_t *chosen, struct error *error);

#endif
