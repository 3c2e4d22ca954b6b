#include "tuner/objective/score.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

static atomic_bool memory_ran_out;

bool score_ran_out_of_memory(void) {
  return atomic_load(&memory_ran_out);
}

static void *room_for(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory)
    atomic_store(&memory_ran_out, true);
  return memory;
}

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

/* The sum |m - s p| / m over s is least at that median. */
double score_best_scale(const double *measured, const double *predicted, size_t count, size_t skipped) {
  struct weighted *ratios = room_for((count > 0 ? count : 1) * sizeof *ratios);
  double total = 0, below = 0, best = NAN;
  size_t kept = 0;
  for (size_t i = 0; ratios && i < count; i++) {
    if (i == skipped || !(predicted[i] > 0))
      continue;
    ratios[kept] = (struct weighted){measured[i] / predicted[i], predicted[i] / measured[i]};
    total += ratios[kept++].weight;
  }
  if (kept > 0)
    qsort(ratios, kept, sizeof *ratios, by_value);
  for (size_t i = 0; i < kept && isnan(best); i++) {
    below += ratios[i].weight;
    if (below >= total / 2)
      best = ratios[i].value;
  }
  free(ratios);
  return best;
}

static double scaled_mape(const double *measured, const double *predicted, size_t count, double scale) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += fabs(measured[i] - scale * predicted[i]) / measured[i];
  return count > 0 ? 100 * sum / (double)count : NAN;
}

static double constant_baseline(const double *measured, size_t count) {
  double *ones = room_for((count + 1) * sizeof *ones);
  double result = NAN;
  for (size_t i = 0; ones && i < count; i++)
    ones[i] = 1;
  if (ones)
    result = scaled_mape(measured, ones, count, score_best_scale(measured, ones, count, count));
  free(ones);
  return result;
}

double score_noise_percent(const double *values, const double *spreads, size_t count) {
  double sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    if (spreads[i] < 0)
      continue;
    sum += spreads[i] / (2 * values[i]);
    known++;
  }
  return known > 0 ? 100 * sum / (double)known : NAN;
}

/* ---- order ---- */

struct placed {
  double value, tie; /* equal values are ordered by falling `tie` */
  size_t at;
};

static int by_place(const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  const int order = (x->value > y->value) - (x->value < y->value);
  return order != 0 ? order : (x->tie < y->tie) - (x->tie > y->tie);
}

/* Returns the elements in ascending order of `values`; if `ties` is NULL, equal values are in any order. NULL when out
 * of memory. */
static struct placed *sorted(const double *values, const double *ties, size_t count) {
  struct placed *places = room_for((count > 0 ? count : 1) * sizeof *places);
  for (size_t i = 0; places && i < count; i++)
    places[i] = (struct placed){values[i], ties ? ties[i] : 0, i};
  if (places && count > 0)
    qsort(places, count, sizeof *places, by_place);
  return places;
}

void score_ranks(const double *values, size_t count, double *ranks) {
  struct placed *places = sorted(values, NULL, count);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; places && end < count && places[end].value == places[i].value; end++)
      ;
    for (size_t j = i; j < end; j++)
      ranks[places ? places[j].at : j] = places ? (double)(i + end + 1) / 2 : NAN;
  }
  free(places);
}

static double least_of(const double *measured, const struct placed *places, size_t count) {
  double least = INFINITY;
  for (size_t i = 0; i < count; i++)
    least = fmin(least, measured[places[i].at]);
  return least;
}

static void set_losses(const double *measured, const double *predicted, size_t count, struct score *out) {
  struct placed *places = sorted(predicted, measured, count);
  out->first_choice_loss_percent = out->best_of_ten_loss_percent = NAN;
  if (places && count > 0) {
    const double best = least_of(measured, places, count);
    out->first_choice_loss_percent = 100 * (measured[places[0].at] / best - 1);
    if (count >= 2 * SCORE_CHOICES)
      out->best_of_ten_loss_percent = 100 * (least_of(measured, places, SCORE_CHOICES) / best - 1);
  }
  free(places);
}

/* ---- correlation ---- */

double score_pearson(const double *x, const double *y, size_t count) {
  return count < 2 ? NAN : gsl_stats_correlation(x, 1, y, 1, count);
}

/* Spearman's coefficient is Pearson's coefficient of the average ranks, which is right with ties. */
double score_spearman(const double *x, const double *y, size_t count) {
  double *ranks = room_for((2 * count > 0 ? 2 * count : 1) * sizeof *ranks);
  if (!ranks)
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

/* Kendall's tau-b is (concordant - discordant) / sqrt(pairs not tied in x * pairs not tied in y) (Kendall, Biometrika
 * 33, 1945). */
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
  out->scale = score_best_scale(measured, predicted, count, count);
  out->scaled_mape_percent = scaled_mape(measured, predicted, count, out->scale);
  set_losses(measured, predicted, count, out);
  out->pearson = score_pearson(measured, predicted, count);
  out->spearman = score_spearman(measured, predicted, count);
  out->kendall = score_kendall(measured, predicted, count);
}
