/* Clusters around medoids, which are members that represent the others.
 *
 * Purpose: of `count` points it chooses k such that the sum of every point's distance to the nearest chosen one is
 * small: PAM's BUILD (one after another, each the best that is left), then SWAP until no exchange helps.
 * Shapes: points[point * columns + column]; medoids[k] are points, in ascending order; cluster[point] is an index into
 * medoids.
 * Determinism: of equal sums the first is taken.
 * Errors: out of memory.
 * Cost: O(k count^2) for each exchange; memory O(count^2).
 * Threads: any.
 * Source: Kaufman, Rousseeuw, "Finding groups in data" (1990), chapter 2. Distances are Euclidean. */
#ifndef TUNER_MEDOIDS_H
#define TUNER_MEDOIDS_H

#include <stddef.h>

#include "base/error.h"

/* Finds the medoids. k must be 1 to `count`. */
int medoids_find(const double *points, size_t count, size_t columns, size_t k, size_t *medoids, size_t *cluster,
                 struct error *error);

#endif
