#include "model/retime/many/retime_surface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* The members that are timed before the first round, and those of a round. A round is at least a quarter of those
 * before it. */
enum { FIRST_TIMED = 6, ROUND_TIMED = 4 };
/* The number of timed members up to which the tolerance is that of the rule, and how many times as large a single error
 * and the mean error of the round before may be. */
#define FEW_TIMED   16
#define MOST_FACTOR 3
#define MOST_BEFORE 3
/* The share of the allowed error that is enough whatever the round before was. */
#define ENOUGH 0.5
/* How many times as large as the tolerance the mean error of a round is where the surface is far from its members. */
#define FAR_FACTOR 5
/* The number of timed members at which the effect of a coordinate is found, the least effect, and how often the scale
 * is computed from the interpolation and the interpolation from the scale. */
enum { EFFECT_PLACES = 8, SCALE_STEPS = 2 };
#define LEAST_EFFECT 0.01
/* The share of members above which all are timed. */
#define MOST_TIMED 0.6

struct surface {
  struct surface_member *members;
  size_t count, dimensions;
  struct surface_rule rule;
  double before; /* mean error of the predictions of the last round but one */
  struct random_state random;
  double low[SURFACE_MOST_DIMENSIONS], range[SURFACE_MOST_DIMENSIONS], scale[SURFACE_MOST_DIMENSIONS];
  double *distance; /* [count]: to the nearest timed member */
  size_t *timed;    /* [count]: the timed members, in order */
  size_t timed_count;
  double *rows;    /* equations of the weights, each with its right side */
  double *weights; /* of the timed members, of a constant and of the coordinates */
};

/* ---- places ---- */

static void set_scale(struct surface *s) {
  for (size_t d = 0; d < s->dimensions; d++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->count; i++) {
      low = fmin(low, s->members[i].at[d]);
      high = fmax(high, s->members[i].at[d]);
    }
    s->low[d] = low;
    s->range[d] = high > low ? high - low : 0;
    s->scale[d] = s->range[d] == 0 ? 0 : s->rule.learns ? 1 / s->range[d] : 1;
  }
}

static double coordinate(const struct surface *s, const double *at, size_t dimension) {
  return (at[dimension] - s->low[dimension]) * s->scale[dimension];
}

static double distance_from(const struct surface *s, const double *at, size_t member) {
  double sum = 0;
  for (size_t d = 0; d < s->dimensions; d++) {
    const double difference = (at[d] - s->members[member].at[d]) * s->scale[d];
    sum += difference * difference;
  }
  return sqrt(sum);
}

static double distance(const struct surface *s, size_t a, size_t b) {
  return distance_from(s, s->members[a].at, b);
}

/* Returns the member that is farthest from all that are timed; of several, the first. */
static size_t farthest(const struct surface *s) {
  size_t far = s->count;
  for (size_t i = 0; i < s->count; i++)
    if (!s->members[i].timed && (far == s->count || s->distance[i] > s->distance[far]))
      far = i;
  return far;
}

/* Lets a timed member be the nearest one of those that are nearer to it than to any other. */
static void come_near(struct surface *s, size_t member) {
  for (size_t i = 0; i < s->count; i++) {
    const double away = distance(s, i, member);
    if (away < s->distance[i]) {
      s->distance[i] = away;
      s->members[i].near = member;
    }
  }
}

static bool time_member(struct surface *s, size_t member, surface_timer *time, void *context) {
  if (!time(context, member, &s->members[member].value))
    return false;
  s->members[member].timed = true;
  s->timed[s->timed_count++] = member;
  come_near(s, member);
  return true;
}

/* ---- interpolation ---- */

/* Returns the factor of an unknown in the value of a member. */
static double factor(const struct surface *s, size_t member, size_t unknown) {
  if (unknown < s->timed_count)
    return distance(s, member, s->timed[unknown]);
  return unknown == s->timed_count ? 1 : coordinate(s, s->members[member].at, unknown - s->timed_count - 1);
}

/* Sets the equations: the values of timed members, and that the weights of distances have no linear part. The small
 * number lets coordinates that do not differ among the timed members have a weight of 0. */
static void set_equations(struct surface *s, size_t unknowns) {
  for (size_t i = 0; i < unknowns; i++) {
    double *row = s->rows + i * (unknowns + 1);
    const bool is_member = i < s->timed_count;
    for (size_t j = 0; j < unknowns; j++)
      row[j] = is_member            ? factor(s, s->timed[i], j)
               : j < s->timed_count ? factor(s, s->timed[j], i)
                                    : -1e-9 * (i == j);
    row[unknowns] = is_member ? s->members[s->timed[i]].value : 0;
  }
}

static void swap_rows(double *a, double *b, size_t width) {
  for (size_t j = 0; j < width; j++) {
    const double kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

/* Solves the equations by Gauss's elimination with the largest pivot of a column. Returns false if they have no single
 * solution. */
static bool solve(double *rows, size_t count, double *out) {
  const size_t width = count + 1;
  for (size_t i = 0; i < count; i++) {
    size_t pivot = i;
    for (size_t k = i + 1; k < count; k++)
      pivot = fabs(rows[k * width + i]) > fabs(rows[pivot * width + i]) ? k : pivot;
    swap_rows(rows + i * width, rows + pivot * width, width);
    if (rows[i * width + i] == 0)
      return false;
    for (size_t k = i + 1; k < count; k++) {
      const double times = rows[k * width + i] / rows[i * width + i];
      for (size_t j = i; j < width && times != 0; j++)
        rows[k * width + j] -= times * rows[i * width + j];
    }
  }
  for (size_t i = count; i-- > 0;) {
    double rest = rows[i * width + count];
    for (size_t j = i + 1; j < count; j++)
      rest -= rows[i * width + j] * out[j];
    out[i] = rest / rows[i * width + i];
  }
  return true;
}

/* Computes the weights from the members that are timed. */
static bool fit(struct surface *s) {
  const size_t unknowns = s->timed_count + 1 + s->dimensions;
  double *rows = realloc(s->rows, unknowns * (unknowns + 1) * sizeof *rows);
  double *weights = rows ? realloc(s->weights, unknowns * sizeof *weights) : NULL;
  s->rows = rows ? rows : s->rows;
  s->weights = weights ? weights : s->weights;
  if (!rows || !weights)
    return false;
  set_equations(s, unknowns);
  return solve(s->rows, unknowns, s->weights);
}

/* Returns the value at some coordinates, by weights that were computed when `fitted` members were timed. */
static double predict(const struct surface *s, size_t fitted, const double *at) {
  double sum = s->weights[fitted];
  for (size_t i = 0; i < fitted; i++)
    sum += s->weights[i] * distance_from(s, at, s->timed[i]);
  for (size_t d = 0; d < s->dimensions; d++)
    sum += s->weights[fitted + 1 + d] * coordinate(s, at, d);
  return sum;
}

/* ---- what coordinates change ---- */

/* Returns how much the value changes over the range of a coordinate, relative to the values of some timed members at
 * which the others are held. */
static double effect_of(const struct surface *s, size_t dimension) {
  const size_t some = s->timed_count < EFFECT_PLACES ? s->timed_count : EFFECT_PLACES;
  double sum = 0;
  for (size_t i = 0; i < some && s->range[dimension] > 0; i++) {
    const struct surface_member *member = &s->members[s->timed[i * s->timed_count / some]];
    double low[SURFACE_MOST_DIMENSIONS], high[SURFACE_MOST_DIMENSIONS];
    memcpy(low, member->at, sizeof low);
    memcpy(high, member->at, sizeof high);
    low[dimension] = s->low[dimension];
    high[dimension] = s->low[dimension] + s->range[dimension];
    sum += fabs(predict(s, s->timed_count, high) - predict(s, s->timed_count, low)) / fabs(member->value);
  }
  return sum / (double)some;
}

/* Scales the coordinates by what they change, by the present weights, and computes the weights again. */
static bool learn_scale(struct surface *s) {
  double effects[SURFACE_MOST_DIMENSIONS];
  for (size_t d = 0; d < s->dimensions; d++)
    effects[d] = fmax(effect_of(s, d), LEAST_EFFECT);
  for (size_t d = 0; d < s->dimensions; d++)
    s->scale[d] = s->range[d] > 0 ? effects[d] / s->range[d] : 0;
  for (size_t i = 0; i < s->count; i++)
    s->distance[i] = INFINITY;
  for (size_t i = 0; i < s->timed_count; i++)
    come_near(s, s->timed[i]);
  return fit(s);
}

static bool fit_scaled(struct surface *s) {
  bool done = fit(s);
  for (int i = 0; i < SCALE_STEPS && done && s->rule.learns; i++)
    done = learn_scale(s);
  return done;
}

/* ---- rounds ---- */

/* Returns a member that is at no timed one, drawn from all: members of which there are many are drawn often. There has
 * to be such a member. */
static size_t draw(struct surface *s) {
  size_t member = random_below(&s->random, (uint32_t)s->count);
  while (s->distance[member] == 0)
    member = member + 1 < s->count ? member + 1 : 0;
  return member;
}

/* Times some members, in turns one that is far from all others and one that is drawn. Those at the place of a timed one
 * are left out. */
static bool time_some(struct surface *s, size_t count, surface_timer *time, void *context) {
  for (size_t i = 0; i < count && s->timed_count < s->count; i++) {
    const size_t far = farthest(s);
    if (s->distance[far] == 0)
      return true;
    if (!time_member(s, i % 2 == 0 ? far : draw(s), time, context))
      return false;
  }
  return true;
}

/* Returns whether the members that were timed since the weights were computed have nearly the values that these
 * predict, and those of the round before were not predicted much worse. */
static bool is_close(struct surface *s, size_t fitted) {
  double sum = 0, most = 0;
  for (size_t i = fitted; i < s->timed_count; i++) {
    const struct surface_member *member = &s->members[s->timed[i]];
    const double error = fabs(predict(s, fitted, member->at) - member->value) / fabs(member->value);
    sum += error;
    most = fmax(most, error);
  }
  const double allowed = s->rule.tolerance * fmax(1, sqrt((double)fitted / FEW_TIMED)), before = s->before;
  s->before = sum / (double)(s->timed_count - fitted);
  return s->before <= allowed && most <= MOST_FACTOR * allowed &&
         (before <= MOST_BEFORE * allowed || s->before <= ENOUGH * allowed);
}

/* Sets the values of the other members. Those that differ only in coordinates whose learned effect is within the
 * tolerance get equal values, so that none of them seems to be better than another one. */
static enum surface_state interpolate(struct surface *s) {
  bool same[SURFACE_MOST_DIMENSIONS] = {false};
  if (!fit(s))
    return SURFACE_FAILED;
  for (size_t d = 0; d < s->dimensions && s->rule.learns; d++)
    same[d] = effect_of(s, d) <= s->rule.tolerance;
  for (size_t i = 0; i < s->count; i++) {
    struct surface_member *member = &s->members[i];
    double at[SURFACE_MOST_DIMENSIONS];
    if (member->timed)
      continue;
    for (size_t d = 0; d < s->dimensions; d++)
      at[d] = same[d] ? s->low[d] + s->range[d] / 2 : member->at[d];
    member->value = predict(s, s->timed_count, at);
  }
  return SURFACE_MADE;
}

static enum surface_state time_all(struct surface *s, surface_timer *time, void *context) {
  for (size_t i = 0; i < s->count; i++)
    if (!s->members[i].timed && !time_member(s, i, time, context))
      return SURFACE_FAILED;
  return SURFACE_MADE;
}

static bool has_timed_most(const struct surface *s) {
  return s->rule.most_timed > 0 && s->timed_count >= s->rule.most_timed;
}

static bool is_far(const struct surface *s) {
  return s->before > FAR_FACTOR * s->rule.tolerance;
}

static enum surface_state make(struct surface *s, surface_timer *time, void *context) {
  if (s->count < SURFACE_LEAST)
    return time_all(s, time, context);
  if (!time_some(s, FIRST_TIMED, time, context))
    return SURFACE_FAILED;
  while ((double)s->timed_count < MOST_TIMED * (double)s->count && !(has_timed_most(s) && is_far(s))) {
    const size_t fitted = s->timed_count, quarter = fitted / 4;
    if (!fit_scaled(s) || !time_some(s, quarter > ROUND_TIMED ? quarter : ROUND_TIMED, time, context))
      return SURFACE_FAILED;
    if (s->timed_count == fitted || is_close(s, fitted) || (has_timed_most(s) && s->rule.settles && !is_far(s)))
      return interpolate(s);
  }
  return (double)s->timed_count < MOST_TIMED * (double)s->count ? SURFACE_OPEN : time_all(s, time, context);
}

enum surface_state surface_make(struct surface_member *members, size_t count, struct surface_rule rule,
                                surface_timer *time, void *context) {
  struct surface s = {.members = members,
                      .count = count,
                      .rule = rule,
                      .random = {1},
                      .before = INFINITY,
                      .dimensions = SURFACE_MOST_DIMENSIONS,
                      .distance = calloc(count + 1, sizeof *s.distance),
                      .timed = calloc(count + 1, sizeof *s.timed)};
  const bool ready = s.distance && s.timed;
  for (size_t i = 0; i < count && ready; i++) {
    members[i].timed = false;
    members[i].near = i;
    s.distance[i] = INFINITY;
  }
  set_scale(&s);
  const enum surface_state state = ready ? make(&s, time, context) : SURFACE_FAILED;
  free(s.distance);
  free(s.timed);
  free(s.rows);
  free(s.weights);
  return state;
}
