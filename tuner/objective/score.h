/* Scores of a prediction against measurements. Definitions: docs/accuracy.md "Scores"; thesis equation 5.3 for MAPE.
 * Pearson and Spearman by GSL; Kendall's tau-b by its definition. */
#ifndef TUNER_SCORE_H
#define TUNER_SCORE_H

#include <stddef.h>

struct score {
  double mape_percent;
  double mape_percent_without_largest;   /* without the kernel with the largest measured value */
  double constant_baseline_mape_percent; /* the best constant guess for these measurements (weighted median of
                                            1/measured) */
  double pearson, spearman, kendall;     /* NaN when not defined (fewer than two points, no variation) */
};

void score_compute(const double *measured, const double *predicted, size_t count, struct score *out);
/* NaN when not defined. */
double score_pearson(const double *x, const double *y, size_t count);
double score_spearman(const double *x, const double *y, size_t count);
double score_kendall(const double *x, const double *y, size_t count);
/* Average ranks, 1 = smallest. */
void score_ranks(const double *values, size_t count, double *ranks);

#endif
