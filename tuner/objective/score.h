/* Scores of predictions against measurements. Definitions: docs/accuracy.md "Scores"; thesis equation 5.3 for MAPE.
 * Pearson and Spearman by GSL; Kendall's tau-b by its definition.
 *
 * Shapes: measured[count], predicted[count], both positive, in any unit.
 * Errors: a score that is not defined is NaN, and so is every score when out of memory.
 * Cost: O(count^2) for Kendall's tau-b, O(count log count) for the others.
 * Threads: any. */
#ifndef TUNER_SCORE_H
#define TUNER_SCORE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCORE_CHOICES = 10 }; /* the number of the best of ten */

struct score {
  double mape_percent;
  double mape_percent_without_largest;   /* without the kernel with the largest measured value */
  double constant_baseline_mape_percent; /* MAPE of the best constant guess for these measurements */
  double scale;                          /* factor of the predictions with the least MAPE */
  double scaled_mape_percent;            /* with that scale */
  double pearson, spearman, kendall;     /* NaN for fewer than two points or without variation */
  /* The measured time of the kernel that is predicted to be fastest, and the least measured time of the ten that are
   * predicted to be fastest, each divided by the least measured time of all, minus 1, in percent. Equal predictions are
   * taken slowest first. Best of ten is not defined for fewer than 20 kernels. */
  double first_choice_loss_percent, best_of_ten_loss_percent;
};

void score_compute(const double *measured, const double *predicted, size_t count, struct score *out);
/* Returns how far measurements are from themselves: the mean of spread / (2 value), in percent, over the measurements
 * whose spread (interquartile range) is known, that is, not negative. A model need not be nearer than that. */
double score_noise_percent(const double *values, const double *spreads, size_t count);
/* Returns whether some score of this process is NaN because memory ran out. */
bool score_ran_out_of_memory(void);
/* These functions return a coefficient, or NaN when it is not defined. */
double score_pearson(const double *x, const double *y, size_t count);
double score_spearman(const double *x, const double *y, size_t count);
double score_kendall(const double *x, const double *y, size_t count);
/* Writes average ranks; 1 is the smallest. */
void score_ranks(const double *values, size_t count, double *ranks);
/* Returns the s for which s * predicted has the least MAPE: the median of measured / predicted, weighted by predicted /
 * measured. The element `skipped` (`count`: none) and those without a positive prediction do not count. */
double score_best_scale(const double *measured, const double *predicted, size_t count, size_t skipped);

#endif
