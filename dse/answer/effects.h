/* The effect of each axis of a sweep, and of pairs of axes beyond that: the means of an analysis of variance.
 *
 * Given samples with the level of every axis and a response y: mean[a][v] = mean of y where axis a has level v, less
 * the mean of all. share[a] = the part of y's variance that these means explain (a first-order sensitivity index; Sobol
 * 1993). pair_share[a * axes + b], a < b: the part that the means of the cells (v, w) explain beyond both axes. On a
 * whole grid the numbers are exact and the shares of all orders add up to 1; on samples they have the noise of each
 * cell (about cells / samples), so a pair with fewer than four samples a cell has none (NaN).
 *
 * Ownership: effects_compute allocates, effects_clear frees.
 * Cost: O(samples x axes^2). */
#ifndef DSE_EFFECTS_H
#define DSE_EFFECTS_H

#include <stddef.h>

struct effects {
  size_t axis_count;
  double grand_mean, variance;
  double **means; /* NaN for a level without samples */
  double *shares, *pair_shares;
};

/* Computes effects. levels[a] is the number of levels of axis a; coordinates[i * axis_count + a] < levels[a]. Returns
 * -1 when out of memory. */
int effects_compute(size_t axis_count, const size_t *levels, const size_t *coordinates, const double *y, size_t count,
                    struct effects *out);
void effects_clear(struct effects *effects);

#endif
