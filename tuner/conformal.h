/* The width of prediction intervals, from errors on measurements that were held out.
 *
 * The interval of a prediction p is p / (1 + e) to p * (1 + e). With n held-out errors |ln(measured / predicted)|, ln(1
 * + e) is the k-th smallest of them, k = ceil((n + 1) level). An unseen measurement that is drawn like the n lies in
 * its interval with that probability, whatever the distribution of the errors and however wrong the model (split
 * conformal prediction: Lei and others, Journal of the American Statistical Association 113, 2018; with every
 * measurement left out in turn instead of a split: Barber and others, Annals of Statistics 49, 2021). Fewer than 19
 * errors cannot support 95 %: the largest then supports n / (n + 1).
 *
 * Threads: any. */
#ifndef TUNER_CONFORMAL_H
#define TUNER_CONFORMAL_H

#include <stddef.h>

extern const double conformal_level; /* 0.95 */

struct conformal {
  double ratio; /* the e of above; NaN: there are no errors, or memory ran out */
  double level; /* the probability that the errors support, at most conformal_level rounded up to a whole error */
};

/* Returns how many measurements lie in the interval that follows from the errors of all other measurements; 0 when out
 * of memory. If the n errors differ, it is the share that the rank above leaves: 10 of 11, 143 of 150. */
size_t conformal_count_held(const double *measured, const double *held_out, size_t count);
struct conformal conformal_interval(const double *measured, const double *held_out, size_t count);

#endif
