#include "cli/calibrate/factor_fit.h"

#include <math.h>

/* Less of a program than this is too little to tell a factor from noise: assumed. */
#define LEAST_SHARE 0.001

static double core_ratio(const struct program_pair *p) {
  return p->board->core_clock / p->device->core_clock;
}

static double memory_ratio(const struct program_pair *p) {
  return p->board->memory_clock / p->device->memory_clock;
}

double factor_fit_predict(const struct time_factors *factors, const struct program_pair *p) {
  double ns = 0;
  for (int kind = 0; kind < TIME_KINDS; kind++)
    ns += time_factor_at(factors, kind, core_ratio(p), memory_ratio(p)) * p->device->awaited_ns[kind];
  return ns;
}

/* Sums of a regression of board times y on device times, of which x is bounded by the cores and z by the memory, each
 * divided by its clock. */
struct sums {
  double xx, xz, zz, xy, zy, yy;
  size_t count;
};

static bool has_kind(const struct program_pair *p, int kind) {
  return p->device->ns[kind] > LEAST_SHARE * p->device->simulated_ns && p->board->ns[kind] > 0;
}

static bool depends_on_clocks(int kind) {
  return kind < TIME_CALLS;
}

static void add_pair(struct sums *s, const struct program_pair *p, int kind) {
  const bool clocked = depends_on_clocks(kind);
  const double weight = 1 / p->device->simulated_ns, ns = weight * p->device->ns[kind];
  const double x = ns / (clocked ? core_ratio(p) : 1), z = ns / (clocked ? memory_ratio(p) : 1);
  const double y = weight * p->board->ns[kind];
  s->xx += x * x;
  s->xz += x * z;
  s->zz += z * z;
  s->xy += x * y;
  s->zy += z * y;
  s->yy += y * y;
  s->count++;
}

static struct sums sum_pairs(const struct program_pair *pairs, size_t count, const struct program_pair *left_out,
                             int kind) {
  struct sums s = {0};
  for (size_t i = 0; i < count; i++)
    if (pairs[i].trains && &pairs[i] != left_out && has_kind(&pairs[i], kind))
      add_pair(&s, &pairs[i], kind);
  return s;
}

/* With the share as it is, x and z are one number. */
static double fit_factor(const struct sums *s, double share, double *error) {
  const double core = 1 - share;
  const double xx = core * core * s->xx + 2 * core * share * s->xz + share * share * s->zz;
  const double xy = core * s->xy + share * s->zy, factor = xy / xx;
  const double rest = fmax(0, s->yy - factor * xy);
  *error = s->count > 1 ? sqrt(rest / (double)(s->count - 1) / xx) : NAN;
  return factor;
}

/* Returns the share with the least squares, where clocks differ enough between the programs to tell. */
static double fit_share(const struct sums *s, double assumed) {
  const double determinant = s->xx * s->zz - s->xz * s->xz;
  if (determinant <= 1e-9 * s->xx * s->zz)
    return assumed;
  const double core = (s->xy * s->zz - s->zy * s->xz) / determinant;
  const double memory = (s->zy * s->xx - s->xy * s->xz) / determinant;
  if (core <= 0 || memory <= 0)
    return core <= 0 ? 1 : 0;
  return memory / (core + memory);
}

static void fit_kind(struct factor_fit *fit, const struct sums *s, int kind) {
  struct time_factor *f = &fit->factors.kinds[kind];
  fit->programs[kind] = s->count;
  fit->standard_error[kind] = NAN;
  if (s->count == 0)
    return;
  if (depends_on_clocks(kind))
    f->memory_share = fit_share(s, f->memory_share);
  f->factor = fit_factor(s, f->memory_share, &fit->standard_error[kind]);
}

/* Returns the mean ratio of the whole times to those that the factors give. */
static double fit_whole(const struct program_pair *pairs, size_t count, const struct program_pair *left_out,
                        const struct time_factors *factors) {
  double sum = 0;
  size_t trained = 0;
  for (size_t i = 0; i < count; i++)
    if (pairs[i].trains && &pairs[i] != left_out) {
      sum += pairs[i].board->total_ns / factor_fit_predict(factors, &pairs[i]);
      trained++;
    }
  return trained > 0 ? sum / (double)trained : 1;
}

struct factor_fit factor_fit(const struct program_pair *pairs, size_t count, const struct program_pair *left_out) {
  struct factor_fit fit = {.factors = time_factors_none()};
  for (int kind = 0; kind < TIME_KINDS; kind++) {
    const struct sums s = sum_pairs(pairs, count, left_out, kind);
    fit_kind(&fit, &s, kind);
  }
  fit.whole = fit_whole(pairs, count, left_out, &fit.factors);
  for (int kind = 0; kind < TIME_KINDS; kind++)
    fit.factors.kinds[kind].factor *= fit.whole;
  return fit;
}

void factor_fit_cross_validate(struct program_pair *pairs, size_t count) {
  const struct time_factors none = time_factors_none();
  const struct factor_fit all = factor_fit(pairs, count, NULL);
  for (size_t i = 0; i < count; i++) {
    const struct factor_fit fit = pairs[i].trains ? factor_fit(pairs, count, &pairs[i]) : all;
    pairs[i].predicted = factor_fit_predict(&fit.factors, &pairs[i]);
    pairs[i].before = factor_fit_predict(&none, &pairs[i]);
  }
}
