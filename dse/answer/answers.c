#include "dse/answer/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t answer_one_at_a_time(const struct points *points, size_t axis, size_t value) {
  const struct sweep_axis *a = &points->sweep->axes[axis];
  struct gpu_spec spec = points->sweep->gpu->spec;
  for (size_t p = 0; p < a->parameter_count; p++)
    if (params_set_number(a->params[p], &spec, a->values[value * a->parameter_count + p], NULL) != 0)
      return POINT_IMPOSSIBLE;
  return points_find(points, &spec);
}

static size_t collect(const struct points *points, const double *score, size_t *coordinates, double *y) {
  const size_t axes = points->sweep->axis_count;
  size_t count = 0;
  for (size_t point = 0; point < points->count; point++) {
    const uint32_t design = points->designs[point];
    if (design == POINT_IMPOSSIBLE || !isfinite(log(score[design])) ||
        !points_coordinates(points, point, &coordinates[count * axes]))
      continue;
    y[count++] = log(score[design]);
  }
  return count;
}

int answer_effects(const struct points *points, const double *score, struct effects *out, bool *any,
                   struct error *error) {
  const struct sweep *sweep = points->sweep;
  size_t levels[SWEEP_MOST_AXES];
  *any = sweep->axis_count > 0 && sweep->method != SWEEP_ONE_AT_A_TIME;
  if (!*any)
    return 0;
  for (size_t a = 0; a < sweep->axis_count; a++)
    levels[a] = sweep->axes[a].value_count;
  size_t *coordinates = calloc(points->count * sweep->axis_count, sizeof *coordinates);
  double *y = calloc(points->count, sizeof *y);
  int status = coordinates && y ? 0 : -1;
  if (status == 0) {
    const size_t count = collect(points, score, coordinates, y);
    *any = count > 0;
    status = *any ? effects_compute(sweep->axis_count, levels, coordinates, y, count, out) : 0;
  }
  free(coordinates);
  free(y);
  return status == 0 ? 0 : error_no_memory(error);
}

/* Cycles are turned into time, because the clock may be an axis. */
void answer_difference(const struct outcomes *outcomes, size_t a, size_t b, size_t first, size_t count,
                       double components[SIM_STACK_COUNT], double *total) {
  const size_t cycles = outcome_value("cycles"), time = outcome_value("time_ns");
  *total = 0;
  for (size_t c = 0; c < SIM_STACK_COUNT; c++) {
    char name[64];
    snprintf(name, sizeof name, "cycle_stack.%s", sim_stack_names[c]);
    const size_t value = outcome_value(name);
    components[c] = 0;
    for (size_t w = first; w < first + count; w++) {
      const double *x = outcomes_at(outcomes, a, w), *y = outcomes_at(outcomes, b, w);
      if (x[time] <= 0 || y[cycles] <= 0)
        continue;
      const double in_a = x[value] / x[cycles], in_b = y[value] / y[cycles] * y[time] / x[time];
      components[c] += (in_b - in_a) / (double)count;
    }
    *total += components[c];
  }
}

static bool is_number(const char *text) {
  return text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) < 10;
}

/* Returns the point of this name, "cores=16 warp_size=8", or points->count if there is none. */
static size_t find_named(const struct points *points, const char *name) {
  size_t point = 0;
  for (bool found = false; point < points->count && !found; point += !found) {
    char *other = points_name(points, point);
    found = other && strcmp(other, name) == 0;
    free(other);
  }
  return point;
}

static bool set_value(const struct sweep_axis *axis, size_t value, struct gpu_spec *spec) {
  for (size_t p = 0; p < axis->parameter_count; p++)
    if (params_set_number(axis->params[p], spec, axis->values[value * axis->parameter_count + p], NULL) != 0)
      return false;
  return true;
}

/* Sets the value of the label at the start of `text`, "cores=16". Returns the text behind the label and its spaces, or
 * NULL if no axis has such a label. */
static const char *set_label(const struct sweep *sweep, const char *text, struct gpu_spec *spec) {
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++) {
      const char *label = sweep->axes[a].labels[v], *rest = text + strlen(label);
      if (strncmp(text, label, strlen(label)) == 0 && (*rest == ' ' || *rest == '\0'))
        return set_value(&sweep->axes[a], v, spec) ? rest + strspn(rest, " ") : NULL;
    }
  return NULL;
}

/* Returns the point that the base becomes with the values of some axes, "cores=16" alone, or points->count. */
static size_t find_labels(const struct points *points, const char *text) {
  struct gpu_spec spec = points->sweep->gpu->spec;
  while (text && *text != '\0')
    text = set_label(points->sweep, text, &spec);
  const uint32_t design = text ? points_find(points, &spec) : POINT_IMPOSSIBLE;
  return design != POINT_IMPOSSIBLE ? points->first_points[design] : points->count;
}

uint32_t answer_find_point(const struct points *points, const char *name, struct error *error) {
  size_t point = find_named(points, name);
  if (point == points->count && is_number(name) && strtoul(name, NULL, 10) < points->count)
    point = strtoul(name, NULL, 10);
  if (point == points->count)
    point = find_labels(points, name);
  if (point == points->count)
    error_set(error, ERROR_INPUT,
              "--diff: the sweep has no point \"%.200s\" (the column \"name\" of results.csv; \"axis=value\" alone is "
              "the base with that value)",
              name);
  else if (points->designs[point] == POINT_IMPOSSIBLE)
    error_set(error, ERROR_INPUT, "--diff: the point \"%.200s\" is impossible", name);
  else
    return (uint32_t)point;
  return POINT_IMPOSSIBLE;
}
