/* The Pareto front: designs that no other design beats, with least cost for their score, or highest score for their
 * cost.
 *
 * i is on the front when no j has cost[j] <= cost[i] and score[j] >= score[i] with one of the two strict; of equal ones
 * the first counts. Scores that are not a number are left out.
 * Cost: O(n log n). */
#ifndef DSE_PARETO_H
#define DSE_PARETO_H

#include <stddef.h>

/* Writes the indices of the front, cheapest first, into front[n], and their number to *count. Returns -1 when out of
 * memory. */
int pareto_front(const double *cost, const double *score, size_t n, size_t *front, size_t *count);

/* Writes the indices of all with score >= target, cheapest first (equal costs: higher score first). Returns -1 when out
 * of memory. */
int pareto_reach(const double *cost, const double *score, size_t n, double target, size_t *indices, size_t *count);

#endif
