#include "model/retime/many/retime_surface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The members that are timed before the first round, and those of a round. A round is at least a quarter of those
 * before it. */
enum { FIRST_TIMED = 6, ROUND_TIMED = 4 };
/* The largest mean and single error of a round's predictions, relative to its times, with which the others are
 * interpolated. */
#define MOST_MEAN_ERROR 0.004
#define MOST_ERROR      0.01
/* The share of timed members from which on twice these errors are allowed. Times that are not close by then are those
 * of warps that take turns in another order on each GPU, which a recording does not know to 1 % either. */
#define MANY_TIMED 0.3
/* The share of members above which all are timed. */
#define MOST_TIMED 0.6

struct surface {
  struct surface_member *members;
  size_t count, dimensions;
  double low[SURFACE_MOST_DIMENSIONS], scale[SURFACE_MOST_DIMENSIONS];
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
    s->scale[d] = high > low ? 1 / (high - low) : 0;
  }
}

static double coordinate(const struct surface *s, size_t member, size_t dimension) {
  return (s->members[member].at[dimension] - s->low[dimension]) * s->scale[dimension];
}

static double distance(const struct surface *s, size_t a, size_t b) {
  double sum = 0;
  for (size_t d = 0; d < s->dimensions; d++) {
    const double difference = coordinate(s, a, d) - coordinate(s, b, d);
    sum += difference * difference;
  }
  return sqrt(sum);
}

/* Returns the member that is farthest from all that are timed; of several, the first. */
static size_t farthest(const struct surface *s) {
  size_t far = s->count;
  for (size_t i = 0; i < s->count; i++)
    if (!s->members[i].timed && (far == s->count || s->distance[i] > s->distance[far]))
      far = i;
  return far;
}

static bool time_member(struct surface *s, size_t member, surface_timer *time, void *context) {
  if (!time(context, member, &s->members[member].value))
    return false;
  s->members[member].timed = true;
  s->timed[s->timed_count++] = member;
  for (size_t i = 0; i < s->count; i++) {
    const double away = distance(s, i, member);
    if (away < s->distance[i]) {
      s->distance[i] = away;
      s->members[i].near = member;
    }
  }
  return true;
}

/* ---- interpolation ---- */

/* Returns the factor of an unknown in the value of a member. */
static double factor(const struct surface *s, size_t member, size_t unknown) {
  if (unknown < s->timed_count)
    return distance(s, member, s->timed[unknown]);
  return unknown == s->timed_count ? 1 : coordinate(s, member, unknown - s->timed_count - 1);
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

/* Returns the value of a member by weights that were computed when `fitted` members were timed. */
static double predict(const struct surface *s, size_t fitted, size_t member) {
  double sum = s->weights[fitted];
  for (size_t i = 0; i < fitted; i++)
    sum += s->weights[i] * distance(s, member, s->timed[i]);
  for (size_t d = 0; d < s->dimensions; d++)
    sum += s->weights[fitted + 1 + d] * coordinate(s, member, d);
  return sum;
}

/* ---- rounds ---- */

static bool time_some(struct surface *s, size_t count, surface_timer *time, void *context) {
  for (size_t i = 0; i < count && s->timed_count < s->count; i++)
    if (!time_member(s, farthest(s), time, context))
      return false;
  return true;
}

/* Returns whether the members that were timed since the weights were computed have nearly the values that these
 * predict. */
static bool is_close(const struct surface *s, size_t fitted) {
  double sum = 0, most = 0;
  for (size_t i = fitted; i < s->timed_count; i++) {
    const double value = s->members[s->timed[i]].value;
    const double error = fabs(predict(s, fitted, s->timed[i]) - value) / value;
    sum += error;
    most = fmax(most, error);
  }
  const double times = (double)fitted >= MANY_TIMED * (double)s->count ? 2 : 1;
  return sum <= times * MOST_MEAN_ERROR * (double)(s->timed_count - fitted) && most <= times * MOST_ERROR;
}

static bool interpolate(struct surface *s) {
  if (!fit(s))
    return false;
  for (size_t i = 0; i < s->count; i++)
    if (!s->members[i].timed)
      s->members[i].value = predict(s, s->timed_count, i);
  return true;
}

static bool make(struct surface *s, surface_timer *time, void *context) {
  if (s->count < SURFACE_LEAST)
    return time_some(s, s->count, time, context);
  if (!time_some(s, FIRST_TIMED, time, context))
    return false;
  while ((double)s->timed_count < MOST_TIMED * (double)s->count) {
    const size_t fitted = s->timed_count, quarter = fitted / 4;
    if (!fit(s) || !time_some(s, quarter > ROUND_TIMED ? quarter : ROUND_TIMED, time, context))
      return false;
    if (is_close(s, fitted))
      return interpolate(s);
  }
  return time_some(s, s->count, time, context);
}

bool surface_make(struct surface_member *members, size_t count, surface_timer *time, void *context) {
  struct surface s = {.members = members,
                      .count = count,
                      .dimensions = SURFACE_MOST_DIMENSIONS,
                      .distance = calloc(count + 1, sizeof *s.distance),
                      .timed = calloc(count + 1, sizeof *s.timed)};
  bool done = s.distance && s.timed;
  for (size_t i = 0; i < count && done; i++) {
    members[i].timed = false;
    members[i].near = i;
    s.distance[i] = INFINITY;
  }
  set_scale(&s);
  done = done && make(&s, time, context);
  free(s.distance);
  free(s.timed);
  free(s.rows);
  free(s.weights);
  return done;
}
