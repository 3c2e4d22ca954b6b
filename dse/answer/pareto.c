#include "dse/answer/pareto.h"

#include <math.h>
#include <stdlib.h>

struct entry {
  double cost, score;
  size_t index;
};

static int cheapest_first(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* Returns the entries with at least the score `least`, sorted, or NULL when out of memory. */
static struct entry *sorted(const double *cost, const double *score, size_t n, double least, size_t *count) {
  struct entry *entries = malloc((n + 1) * sizeof *entries);
  *count = 0;
  for (size_t i = 0; entries && i < n; i++)
    if (!isnan(cost[i]) && score[i] >= least)
      entries[(*count)++] = (struct entry){cost[i], score[i], i};
  if (entries)
    qsort(entries, *count, sizeof *entries, cheapest_first);
  return entries;
}

int pareto_front(const double *cost, const double *score, size_t n, size_t *front, size_t *count) {
  size_t all;
  struct entry *entries = sorted(cost, score, n, -INFINITY, &all);
  if (!entries)
    return -1;
  *count = 0;
  double best = 0;
  for (size_t i = 0; i < all; i++) { /* every cheaper one has been seen: only a higher score is on the front */
    if (*count > 0 && entries[i].score <= best)
      continue;
    best = entries[i].score;
    front[(*count)++] = entries[i].index;
  }
  free(entries);
  return 0;
}

int pareto_reach(const double *cost, const double *score, size_t n, double target, size_t *indices, size_t *count) {
  struct entry *entries = sorted(cost, score, n, target, count);
  if (!entries)
    return -1;
  for (size_t i = 0; i < *count; i++)
    indices[i] = entries[i].index;
  free(entries);
  return 0;
}
