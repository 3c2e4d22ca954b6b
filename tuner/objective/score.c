#include "tuner/objective/score.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

struct weighted {
  double value, weight;
};

static int by_value(const void *a, const void *b) {
  const double x = ((const struct weighted *)a)->value, y = ((const struct weighted *)b)->value;
  return (x > y) - (x < y);
}

static double mape_skipping(const double *measured, const double *predicted, size_t count, size_t skipped) {
  double sum = 0;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == skipped)
      continue;
    sum += fabs(measured[i] - predicted[i]) / measured[i];
    kept++;
  }
  return kept > 0 ? 100 * sum / (double)kept : NAN;
}

/* sum |m - c| / m over c is least at the median of m weighted by 1/m. */
static double best_constant(const double *measured, size_t count) {
  struct weighted *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
  if (sorted == NULL)
    return NAN;
  double total = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    sorted[i] = (struct weighted){.value = measured[i], .weight = 1 / measured[i]};
    total += sorted[i].weight;
  }
  qsort(sorted, count, sizeof *sorted, by_value);
  double best = NAN;
  for (size_t i = 0; i < count && isnan(best); i++) {
    below += sorted[i].weight;
    if (below >= total / 2)
      best = sorted[i].value;
  }
  free(sorted);
  return best;
}

static double constant_baseline(const double *measured, size_t count) {
  const double guess = best_constant(measured, count);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += fabs(measured[i] - guess) / measured[i];
  return count > 0 ? 100 * sum / (double)count : NAN;
}

void score_ranks(const double *values, size_t count, double *ranks) {
  for (size_t i = 0; i < count; i++) {
    size_t below = 0, equal = 0;
    for (size_t j = 0; j < count; j++) {
      below += values[j] < values[i];
      equal += values[j] == values[i];
    }
    ranks[i] = (double)below + ((double)equal + 1) / 2;
  }
}

double score_pearson(const double *x, const double *y, size_t count) {
  return count < 2 ? NAN : gsl_stats_correlation(x, 1, y, 1, count);
}

/* Pearson's coefficient of the average ranks, which is right with ties. */
double score_spearman(const double *x, const double *y, size_t count) {
  double *ranks = malloc((2 * count > 0 ? 2 * count : 1) * sizeof *ranks);
  if (ranks == NULL)
    return NAN;
  score_ranks(x, count, ranks);
  score_ranks(y, count, ranks + count);
  const double result = score_pearson(ranks, ranks + count, count);
  free(ranks);
  return result;
}

static int sign(double x) {
  return (x > 0) - (x < 0);
}

/* tau-b: (concordant - discordant) / sqrt(pairs not tied in x * pairs not tied in y) (Kendall, Biometrika 33, 1945). */
double score_kendall(const double *x, const double *y, size_t count) {
  double balance = 0, untied_x = 0, untied_y = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = i + 1; j < count; j++) {
      const int a = sign(x[i] - x[j]), b = sign(y[i] - y[j]);
      balance += a * b;
      untied_x += a != 0;
      untied_y += b != 0;
    }
  }
  return balance / sqrt(untied_x * untied_y);
}

static size_t largest(const double *values, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (values[i] > values[best])
      best = i;
  return best;
}

void score_compute(const double *measured, const double *predicted, size_t count, struct score *out) {
  out->mape_percent = mape_skipping(measured, predicted, count, count);
  out->mape_percent_without_largest = mape_skipping(measured, predicted, count, largest(measured, count));
  out->constant_baseline_mape_percent = constant_baseline(measured, count);
  out->pearson = score_pearson(measured, predicted, count);
  out->spearman = score_spearman(measured, predicted, count);
  out->kendall = score_kendall(measured, predicted, count);
}
