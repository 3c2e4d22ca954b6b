/* The resolution of predictions: how often two predictions are in the wrong order, by their ratio.
 *
 * Two kernels predicted by one model share most of its errors, so their order is known better than their times. A pair
 * is in the wrong order if the one that is predicted to be faster was measured to be slower. The resolution is the
 * least e at which, of the pairs whose predictions differ by more than the factor 1 + e, at most one in twenty is in
 * the wrong order, with one wrong pair added to those that were seen; so at least 19 pairs have to differ by more. A
 * ratio is rounded up to a step of 0.25 %. Pairs share kernels and so are not independent: for few kernels the result
 * is uncertain.
 *
 * Shapes: measured[count], predicted[count], positive, in any unit.
 * Cost: O(count^2).
 * Threads: any. */
#ifndef TUNER_PAIR_ORDER_H
#define TUNER_PAIR_ORDER_H

#include <stddef.h>

extern const double pair_order_rate; /* 0.05: largest share of pairs in the wrong order among those told apart */

struct pair_order {
  double ratio;             /* the e of above; NaN: no e has so few pairs in the wrong order, or out of memory */
  size_t told_apart, wrong; /* pairs that differ by more than 1 + e, and those of them in the wrong order */
};

/* Returns the resolution of these predictions. */
struct pair_order pair_order_find(const double *measured, const double *predicted, size_t count);
/* Returns how many pairs a given e tells apart, and how many of them are in the wrong order. */
struct pair_order pair_order_count(const double *measured, const double *predicted, size_t count, double ratio);

#endif
