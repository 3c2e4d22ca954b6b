#include "tuner/method/linear_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tuner/method/simplex.h"

static const double difference = 0.05; /* step of central differences, in search coordinates */
static const double least_time = 0.05; /* share of the present prediction: a linear model may go below 0 */
enum { BUDGET = 4000, STARTS = 3 };

int linear_model_init(struct linear_model *m, const struct space *space, const size_t *axes, size_t axis_count,
                      size_t measurements, struct error *error) {
  *m = (struct linear_model){.space = space, .axis_count = axis_count, .measurements = measurements};
  memcpy(m->axes, axes, axis_count * sizeof *axes);
  m->slopes = calloc(axis_count * measurements + 1, sizeof *m->slopes);
  m->lacks_memory = calloc(1, sizeof *m->lacks_memory);
  return m->slopes && m->lacks_memory ? 0 : error_no_memory(error);
}

void linear_model_clear(struct linear_model *m) {
  free(m->slopes);
  free(m->lacks_memory);
}

void linear_model_had_no_memory(const struct linear_model *m) {
  __atomic_store_n(m->lacks_memory, true, __ATOMIC_RELAXED);
}

int linear_model_check(const struct linear_model *m, struct error *error) {
  return __atomic_load_n(m->lacks_memory, __ATOMIC_RELAXED) ? error_no_memory(error) : 0;
}

void linear_model_slope(struct linear_model *m, size_t a, double low, const double *at_low, double high,
                        const double *at_high) {
  for (size_t k = 0; k < m->measurements; k++) {
    const double slope = high != low ? (at_high[k] - at_low[k]) / (high - low) : 0;
    m->slopes[a * m->measurements + k] = isfinite(slope) ? slope : 0;
  }
}

double linear_model_unit(const struct space_axis *axis, double value) {
  const double w = space_to_search(axis, value), step = 1e-6;
  return (space_from_search(axis, w + step) - space_from_search(axis, w - step)) / (2 * step);
}

void linear_model_secant(struct linear_model *m, const double *before, const double *at_before) {
  double step[SPACE_MOST], unit[SPACE_MOST], squares = 0;
  for (size_t a = 0; a < m->axis_count; a++) {
    const size_t axis = m->axes[a];
    unit[a] = linear_model_unit(&m->space->axes[axis], m->point[axis]);
    step[a] = (m->point[axis] - before[axis]) / unit[a];
    squares += step[a] * step[a];
  }
  for (size_t k = 0; k < m->measurements && squares > 0; k++) {
    double missing = m->predictions[k] - at_before[k];
    for (size_t a = 0; a < m->axis_count; a++)
      missing -= m->slopes[a * m->measurements + k] * unit[a] * step[a];
    for (size_t a = 0; a < m->axis_count; a++)
      m->slopes[a * m->measurements + k] += missing * step[a] / (squares * unit[a]);
  }
}

/* Returns the value at a distance along an axis, within its range. Whole numbers differ by at least one. */
static double neighbour(const struct space_axis *axis, double value, double distance) {
  double next = space_from_search(axis, space_to_search(axis, value) + distance);
  if (axis->param->type == PARAM_INT && rint(next) == value)
    next = value + (distance > 0 ? 1 : -1);
  return fmin(fmax(next, axis->low), axis->high);
}

/* Returns the lower value of a difference: with `forward` the present one, unless that is `high`; else the
 * neighbour. */
static double lower_neighbour(const struct space_axis *axis, double value, double high, bool forward) {
  return forward && high != value ? value : neighbour(axis, value, -difference);
}

int linear_model_around(struct linear_model *m, const double *point, struct evaluator *e, bool forward,
                        struct error *error) {
  const size_t count = m->space->count;
  double points[2 * SPACE_MOST * SPACE_MOST];
  const double *predictions[2 * SPACE_MOST];
  memcpy(m->point, point, count * sizeof *point);
  if (evaluator_predict(e, m->point, 1, &m->predictions, error) != 0)
    return -1;
  for (size_t a = 0; a < m->axis_count; a++) {
    const struct space_axis *axis = &m->space->axes[m->axes[a]];
    const double value = m->point[m->axes[a]], high = neighbour(axis, value, difference);
    double *low_point = points + 2 * a * count, *high_point = low_point + count;
    memcpy(low_point, m->point, count * sizeof *points);
    memcpy(high_point, m->point, count * sizeof *points);
    low_point[m->axes[a]] = lower_neighbour(axis, value, high, forward);
    high_point[m->axes[a]] = high;
  }
  if (m->axis_count > 0 && evaluator_predict(e, points, 2 * m->axis_count, predictions, error) != 0)
    return -1;
  for (size_t a = 0; a < m->axis_count; a++) {
    const double low = points[2 * a * count + m->axes[a]], high = points[(2 * a + 1) * count + m->axes[a]];
    linear_model_slope(m, a, low, predictions[2 * a], high, predictions[2 * a + 1]);
  }
  return 0;
}

void linear_model_predict(const struct linear_model *m, const double *point, double *predictions) {
  memcpy(predictions, m->predictions, m->measurements * sizeof *predictions);
  for (size_t a = 0; a < m->axis_count; a++) {
    const double change = point[m->axes[a]] - m->point[m->axes[a]];
    for (size_t k = 0; k < m->measurements; k++)
      predictions[k] += change * m->slopes[a * m->measurements + k];
  }
  for (size_t k = 0; k < m->measurements; k++)
    predictions[k] = fmax(predictions[k], least_time * m->predictions[k]);
}

/* ---- the model's least point ---- */

struct search {
  const struct linear_model *model;
  double (*cost)(const void *context, const double *point, const double *predictions);
  const void *context;
  size_t axes[SPACE_MOST], axis_count; /* the model's axes except the fixed one */
  double *point;                       /* the point that is tried */
  double *predictions;
};

static void set_point(struct search *s, const double *w) {
  for (size_t i = 0; i < s->axis_count; i++)
    s->point[s->axes[i]] = space_from_search(&s->model->space->axes[s->axes[i]], w[i]);
}

static double cost_at(void *context, const double *w) {
  struct search *s = context;
  set_point(s, w);
  linear_model_predict(s->model, s->point, s->predictions);
  return s->cost(s->context, s->point, s->predictions);
}

static void set_region(const struct search *s, double radius, struct simplex_problem *problem, double *middle) {
  for (size_t i = 0; i < s->axis_count; i++) {
    const struct space_axis *axis = &s->model->space->axes[s->axes[i]];
    middle[i] = space_to_search(axis, s->model->point[s->axes[i]]);
    problem->low[i] = fmax(space_to_search(axis, axis->low), middle[i] - radius);
    problem->high[i] = fmin(space_to_search(axis, axis->high), middle[i] + radius);
  }
}

static double search_from_places(struct search *s, double radius, uint64_t seed) {
  struct simplex_problem problem = {.count = s->axis_count,
                                    .cost = cost_at,
                                    .context = s,
                                    .first_step = radius / 2,
                                    .last_size = radius * 1e-4,
                                    .budget = BUDGET};
  struct random_state random = {seed};
  double middle[SPACE_MOST], w[SPACE_MOST], best_w[SPACE_MOST], best = INFINITY;
  set_region(s, radius, &problem, middle);
  for (int start = 0; start < STARTS; start++) {
    for (size_t i = 0; i < s->axis_count; i++)
      w[i] = start == 0 ? middle[i] : problem.low[i] + (problem.high[i] - problem.low[i]) * random_unit(&random);
    const double cost = simplex_minimise(&problem, w);
    if (start == 0 || cost < best) {
      best = cost;
      memcpy(best_w, w, sizeof best_w);
    }
  }
  set_point(s, best_w);
  return best;
}

double linear_model_least(const struct linear_model *m,
                          double (*cost)(const void *context, const double *point, const double *predictions),
                          const void *context, double radius, size_t fixed, uint64_t seed, double *best) {
  struct search s = {.model = m, .cost = cost, .context = context, .point = best};
  const double kept = fixed < SPACE_MOST ? best[fixed] : 0;
  memcpy(best, m->point, m->space->count * sizeof *best);
  if (fixed < SPACE_MOST)
    best[fixed] = kept;
  for (size_t a = 0; a < m->axis_count; a++)
    if (m->axes[a] != fixed)
      s.axes[s.axis_count++] = m->axes[a];
  s.predictions = malloc(m->measurements * sizeof *s.predictions);
  double least = INFINITY;
  if (s.predictions && s.axis_count > 0)
    least = search_from_places(&s, radius, seed);
  else if (s.predictions)
    least = cost_at(&s, NULL);
  else
    linear_model_had_no_memory(m);
  free(s.predictions);
  return least;
}
