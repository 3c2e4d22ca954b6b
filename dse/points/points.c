#include "dse/points/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

bool points_coordinates(const struct points *points, size_t point, size_t *coordinates) {
  const size_t written_out = 1 + points->sweep->variant_count;
  if (point < written_out)
    return false;
  sample_coordinates(points->sweep, &points->sample, point - written_out, coordinates);
  return true;
}

/* Sets all values. They need not be in range: all are set even if some are wrong, so that a point always has the same
 * parameters. */
static int set_all(const struct param *const *params, const double *values, size_t count, struct gpu_spec *spec,
                   struct error *reason) {
  int status = 0;
  for (size_t i = 0; i < count; i++)
    if (params_set_number(params[i], spec, values[i], reason) != 0)
      status = -1;
  return status;
}

static int apply(const struct points *points, size_t point, struct gpu_spec *spec, struct error *reason) {
  const struct sweep *sweep = points->sweep;
  size_t coordinates[SWEEP_MOST_AXES];
  *spec = sweep->gpu->spec;
  if (point == 0)
    return 0;
  if (!points_coordinates(points, point, coordinates)) {
    const struct sweep_variant *variant = &sweep->variants[point - 1];
    return set_all(variant->params, variant->values, variant->count, spec, reason);
  }
  int status = 0;
  for (size_t a = 0; a < sweep->axis_count; a++) {
    const struct sweep_axis *axis = &sweep->axes[a];
    if (coordinates[a] != SAMPLE_AT_BASE && set_all(axis->params, &axis->values[coordinates[a] * axis->parameter_count],
                                                    axis->parameter_count, spec, reason) != 0)
      status = -1;
  }
  return status;
}

/* Checks the constraints, which are about samples only: the user wrote the variants and the base. */
static int check_constraints(const struct sweep *sweep, const struct gpu_spec *spec, struct error *reason) {
  for (size_t i = 0; i < sweep->constraint_count; i++)
    if (!constraint_holds(sweep->constraints[i], spec))
      return error_set(reason, ERROR_INPUT, "breaks the constraint %s", expression_text(sweep->constraints[i]));
  return 0;
}

int points_spec(const struct points *points, size_t point, struct gpu_spec *spec, struct error *reason) {
  if (apply(points, point, spec, reason) != 0)
    return -1;
  if (point > points->sweep->variant_count && check_constraints(points->sweep, spec, reason) != 0)
    return -1;
  return gpu_spec_check(spec, reason);
}

static uint64_t hash_spec(uint64_t hash, const struct gpu_spec *spec) {
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double value = params_get_number(&gpu_params.list[i], spec);
    hash = text_hash(hash, &value, sizeof value);
  }
  return hash;
}

static bool is_design(const struct points *points, uint32_t design, const struct gpu_spec *spec) {
  struct gpu_spec other;
  apply(points, points->first_points[design], &other, NULL);
  for (size_t i = 0; i < gpu_params.count; i++)
    if (params_get_number(&gpu_params.list[i], &other) != params_get_number(&gpu_params.list[i], spec))
      return false;
  return true;
}

static uint32_t find_design(const struct points *points, const struct gpu_spec *spec, uint64_t hash) {
  for (uint32_t at = hash_table_first(&points->by_spec, hash), design;
       (design = hash_table_next(&points->by_spec, hash, &at)) != HASH_INDEX_NONE;)
    if (is_design(points, design, spec))
      return design;
  return POINT_IMPOSSIBLE;
}

uint32_t points_find(const struct points *points, const struct gpu_spec *spec) {
  return find_design(points, spec, hash_spec(TEXT_HASH_START, spec));
}

/* Adds a point and finds its design. Returns false when out of memory. */
static bool add_point(struct points *points, size_t point) {
  struct gpu_spec spec;
  if (points_spec(points, point, &spec, NULL) != 0) {
    points->designs[point] = POINT_IMPOSSIBLE;
    points->impossible_count++;
    return true;
  }
  const uint64_t hash = hash_spec(TEXT_HASH_START, &spec);
  points->designs[point] = find_design(points, &spec, hash);
  if (points->designs[point] != POINT_IMPOSSIBLE)
    return true;
  points->designs[point] = (uint32_t)points->design_count;
  points->first_points[points->design_count] = (uint32_t)point;
  return hash_table_add(&points->by_spec, hash, (uint32_t)points->design_count++);
}

static int check_size(const struct sweep *sweep, bool many_allowed, uint64_t *count, struct error *error) {
  const uint64_t samples = sample_size(sweep), most = UINT32_MAX - 1;
  const bool overflow = __builtin_add_overflow(samples, 1 + (uint64_t)sweep->variant_count, count);
  if (overflow || *count > most)
    return error_at(error, ERROR_INPUT, sweep->path, 0, 0, "axes",
                    "found more points than the %llu that are allowed; sample them (`sampling: {sobol: N}`)",
                    (unsigned long long)most);
  if (*count > POINTS_ASK && !many_allowed)
    return error_at(
        error, ERROR_INPUT, sweep->path, 0, 0, "axes",
        "found %llu points, more than %d: is that meant? Sample them (`sampling: {sobol: N}`), or say --yes",
        (unsigned long long)*count, POINTS_ASK);
  return 0;
}

static int base_is_impossible(const struct points *points, struct error *error) {
  struct gpu_spec spec;
  struct error reason = ERROR_INIT;
  points_spec(points, 0, &spec, &reason);
  return error_at(error, ERROR_INPUT, points->sweep->path, 0, 0, "gpu", "the base GPU is impossible: %s%s%s",
                  reason.key, reason.key[0] ? ": " : "", reason.text);
}

int points_enumerate(const struct sweep *sweep, bool many_allowed, struct points *out, struct error *error) {
  uint64_t count;
  *out = (struct points){.sweep = sweep};
  if (check_size(sweep, many_allowed, &count, error) != 0 || sample_take(sweep, &out->sample, error) != 0)
    return -1;
  out->count = 1 + sweep->variant_count + out->sample.count;
  out->designs = malloc(out->count * sizeof *out->designs);
  out->first_points = malloc(out->count * sizeof *out->first_points);
  bool room = out->designs && out->first_points;
  for (size_t point = 0; point < out->count && room; point++)
    room = add_point(out, point);
  if (!room) {
    points_clear(out);
    return out_of_memory(error);
  }
  if (out->designs[0] != POINT_IMPOSSIBLE)
    return 0;
  base_is_impossible(out, error);
  points_clear(out);
  return -1;
}

void points_clear(struct points *points) {
  sample_clear(&points->sample);
  hash_table_clear(&points->by_spec);
  free(points->designs);
  free(points->first_points);
  *points = (struct points){0};
}

char *points_name(const struct points *points, size_t point) {
  const struct sweep *sweep = points->sweep;
  size_t coordinates[SWEEP_MOST_AXES];
  if (!points_coordinates(points, point, coordinates))
    return strdup(point == 0 ? "base" : sweep->variants[point - 1].name);
  char *name = strdup("");
  for (size_t a = 0; a < sweep->axis_count && name; a++) {
    if (coordinates[a] == SAMPLE_AT_BASE)
      continue;
    char *longer = text_format("%s%s%s", name, name[0] ? " " : "", sweep->axes[a].labels[coordinates[a]]);
    free(name);
    name = longer;
  }
  return name;
}

uint64_t points_digest(const struct points *points) {
  uint64_t hash = TEXT_HASH_START;
  for (size_t design = 0; design < points->design_count; design++) {
    struct gpu_spec spec;
    points_spec(points, points->first_points[design], &spec, NULL);
    hash = hash_spec(hash, &spec);
  }
  return hash;
}
