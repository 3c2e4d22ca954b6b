/* Every point of a grid, with as many levels for each parameter, including the ends of the ranges, as the budget
 * allows. Levels are equally far apart in search coordinates (space.h); a whole number has no more levels than
 * values. */
#include <math.h>
#include <string.h>

#include "tuner/method/fit.h"
#include "tuner/method/methods.h"

enum { CHUNK = 64 };

static size_t points_of(const size_t *levels, size_t axes) {
  size_t points = 1;
  for (size_t i = 0; i < axes; i++)
    points = points > SIZE_MAX / levels[i] ? SIZE_MAX : points * levels[i];
  return points;
}

/* Adds one level to one axis after the other while the budget lasts. */
static void choose_levels(const struct fit *fit, size_t *levels) {
  for (size_t i = 0; i < fit->axis_count; i++)
    levels[i] = 1;
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < fit->axis_count; i++) {
      const struct space_axis *axis = &fit->evaluator->space->axes[fit->axes[i]];
      if (axis->param->type == PARAM_INT && (double)levels[i] > axis->high - axis->low)
        continue;
      levels[i]++;
      const bool fits = points_of(levels, fit->axis_count) < fit->budget; /* the start is a point, too */
      levels[i] -= !fits;
      grown |= fits;
    }
  }
}

static double level_value(const struct space_axis *axis, size_t level, size_t levels, double start) {
  if (levels < 2)
    return start;
  const double low = space_to_search(axis, axis->low), high = space_to_search(axis, axis->high);
  return space_from_search(axis, low + (high - low) * (double)level / (double)(levels - 1));
}

static void grid_point(const struct fit *fit, const size_t *levels, size_t index, double *point) {
  memcpy(point, fit->start, fit->evaluator->space->count * sizeof *point);
  for (size_t i = 0; i < fit->axis_count; i++) {
    const size_t axis = fit->axes[i];
    point[axis] = level_value(&fit->evaluator->space->axes[axis], index % levels[i], levels[i], fit->start[axis]);
    index /= levels[i];
  }
}

static void run(struct fit *fit) {
  size_t levels[SPACE_MOST], count = fit->evaluator->space->count;
  double points[CHUNK * SPACE_MOST], costs[CHUNK];
  fit_cost(fit, fit->start);
  choose_levels(fit, levels);
  const size_t all = points_of(levels, fit->axis_count);
  for (size_t done = 0; done < all && !fit_stopped(fit); done += CHUNK) {
    const size_t size = all - done < CHUNK ? all - done : CHUNK;
    for (size_t i = 0; i < size; i++)
      grid_point(fit, levels, done + i, points + i * count);
    fit_costs(fit, points, size, costs);
  }
}

const struct tune_method tune_method_grid = {
    .name = "grid",
    .help = "every point of a grid over all ranges, as fine as --evaluations allows",
    .budget = 1024,
    .run = run,
};
