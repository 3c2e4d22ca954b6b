/* Factors that make the times of one device those of another, from programs that were measured on both (after Ko, PhD
 * thesis, Seoul National University, 2016, sections 5.2.1, 5.5.5 and 5.5.7.3).
 *
 * Of each kind the factor is that of a regression through the origin, in which every program counts as one, whatever
 * its length. Where the programs were measured at several clocks, the share that the memory bounds is fitted as well;
 * else it is that of time_factors_none. A last factor, over all kinds, makes the programs' whole times right; it takes
 * in what no part has.
 * Errors: none. Cost: linear in the programs. Threads: values only. */
#ifndef CLI_FACTOR_FIT_H
#define CLI_FACTOR_FIT_H

#include "cli/calibrate/program_board.h"

struct program_pair {
  const struct program_times *device, *board;
  bool trains;      /* the factors are fitted to it */
  double predicted; /* its whole time on the board, ns: of a fit that has not seen it */
  double before;    /* with factors of 1 */
};

struct factor_fit {
  struct time_factors factors;
  double standard_error[TIME_KINDS]; /* of each factor; NAN where fewer than two programs have the kind */
  size_t programs[TIME_KINDS];       /* that have it */
  double whole;                      /* the last factor, which is in all of `factors` */
};

/* Fits to the pairs that train, but for `left_out` (NULL: all of them). */
struct factor_fit factor_fit(const struct program_pair *pairs, size_t count, const struct program_pair *left_out);
/* Returns the whole time of the program on the board, in nanoseconds. */
double factor_fit_predict(const struct time_factors *factors, const struct program_pair *pair);
/* Fills in `predicted` of each pair, by fits that leave out one of those that train, and `before`. */
void factor_fit_cross_validate(struct program_pair *pairs, size_t count);

#endif
