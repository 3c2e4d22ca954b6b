#include "dse/points/sample.h"

#include <assert.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>

#include "base/hash_index.h"
#include "base/random.h"

static uint64_t grid_size(const struct sweep *sweep) {
  uint64_t size = sweep->axis_count > 0;
  for (size_t a = 0; a < sweep->axis_count; a++)
    if (__builtin_mul_overflow(size, (uint64_t)sweep->axes[a].value_count, &size))
      return UINT64_MAX;
  return size;
}

uint64_t sample_size(const struct sweep *sweep) {
  uint64_t size = 0;
  switch (sweep->method) {
  case SWEEP_GRID:
    return grid_size(sweep);
  case SWEEP_ONE_AT_A_TIME:
    for (size_t a = 0; a < sweep->axis_count; a++)
      size += sweep->axes[a].value_count;
    return size;
  case SWEEP_RANDOM:
  case SWEEP_SOBOL:
    return sweep->axis_count > 0 ? sweep->samples : 0;
  }
  return 0;
}

static uint64_t hash_of(uint64_t combination) {
  struct random_state mix = {combination};
  return random_next(&mix);
}

static bool is_known(const struct sample *sample, const struct hash_table *seen, uint64_t combination) {
  const uint64_t hash = hash_of(combination);
  for (uint32_t at = hash_table_first(seen, hash), i; (i = hash_table_next(seen, hash, &at)) != HASH_INDEX_NONE;)
    if (sample->combinations[i] == combination)
      return true;
  return false;
}

/* Returns the combination at a point of the unit cube; `unit` holds a number in [0, 1) for each axis. */
static uint64_t combination_at(const struct sweep *sweep, const double *unit) {
  uint64_t combination = 0;
  for (size_t a = 0; a < sweep->axis_count; a++) {
    const size_t count = sweep->axes[a].value_count;
    size_t value = (size_t)(unit[a] * (double)count);
    combination = combination * count + (value < count ? value : count - 1);
  }
  return combination;
}

/* Draws a point. GSL leaves out the sequence's first point, the origin; with it the first 2^k points are balanced. */
static void draw(const struct sweep *sweep, uint64_t i, gsl_qrng *sobol, struct random_state *random, double *unit) {
  if (sobol && i > 0)
    gsl_qrng_get(sobol, unit);
  for (size_t a = 0; a < sweep->axis_count && (!sobol || i == 0); a++)
    unit[a] = sobol ? 0 : random_unit(random);
}

/* Draws all samples. Returns false when out of memory. */
static bool fill(const struct sweep *sweep, gsl_qrng *sobol, struct hash_table *seen, struct sample *out) {
  struct random_state random = {sweep->seed};
  double unit[SWEEP_MOST_AXES];
  for (uint64_t i = 0; i < sweep->samples; i++) {
    draw(sweep, i, sobol, &random, unit);
    const uint64_t combination = combination_at(sweep, unit);
    if (is_known(out, seen, combination)) {
      out->drawn_again++;
      continue;
    }
    if (!hash_table_add(seen, hash_of(combination), (uint32_t)out->count))
      return false;
    out->combinations[out->count++] = combination;
  }
  return true;
}

static int take_drawn(const struct sweep *sweep, struct sample *out, struct error *error) {
  struct hash_table seen = {0};
  gsl_qrng *sobol = NULL;
  if (grid_size(sweep) == UINT64_MAX)
    return error_set(error, ERROR_INPUT, "%s: the axes have more than 2^64 combinations", sweep->path);
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  if (sweep->method == SWEEP_SOBOL)
    sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)sweep->axis_count);
  out->combinations = malloc(sweep->samples * sizeof *out->combinations);
  int status = 0;
  const bool room = out->combinations && (sweep->method != SWEEP_SOBOL || sobol);
  if (!room || !fill(sweep, sobol, &seen, out))
    status = error_no_memory(error);
  if (sobol)
    gsl_qrng_free(sobol);
  gsl_set_error_handler(handler);
  hash_table_clear(&seen);
  return status;
}

int sample_take(const struct sweep *sweep, struct sample *out, struct error *error) {
  *out = (struct sample){0};
  if (sweep->axis_count > 0 && (sweep->method == SWEEP_RANDOM || sweep->method == SWEEP_SOBOL))
    return take_drawn(sweep, out, error);
  out->count = sample_size(sweep);
  return 0;
}

void sample_clear(struct sample *sample) {
  free(sample->combinations);
  *sample = (struct sample){0};
}

static void one_value(const struct sweep *sweep, uint64_t i, size_t *coordinates) {
  for (size_t a = 0; a < sweep->axis_count; a++) {
    const size_t count = sweep->axes[a].value_count;
    coordinates[a] = i < count ? (size_t)i : SAMPLE_AT_BASE;
    i = i < count ? UINT64_MAX : i == UINT64_MAX ? i : i - count;
  }
}

void sample_coordinates(const struct sweep *sweep, const struct sample *sample, uint64_t i, size_t *coordinates) {
  assert(i < sample->count);
  if (sweep->method == SWEEP_ONE_AT_A_TIME) {
    one_value(sweep, i, coordinates);
    return;
  }
  uint64_t rest = sample->combinations ? sample->combinations[i] : i;
  for (size_t a = sweep->axis_count; a-- > 0;) {
    coordinates[a] = (size_t)(rest % sweep->axes[a].value_count);
    rest /= sweep->axes[a].value_count;
  }
}
