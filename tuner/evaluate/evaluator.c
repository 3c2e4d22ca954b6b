#include "tuner/evaluate/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tuner/evaluate/point_journal.h"

void evaluator_init(struct evaluator *e, const struct space *space, const struct gpu_spec *spec,
                    const struct predictor *predictor) {
  *e = (struct evaluator){.space = space, .spec = spec, .predictor = predictor};
}

void evaluator_clear(struct evaluator *e) {
  for (size_t i = 0; i < e->count; i++) {
    free(e->entries[i]->predictions);
    free(e->entries[i]);
  }
  free(e->entries);
  hash_table_clear(&e->by_point);
  *e = (struct evaluator){0};
}

/* ---- the table of known points ---- */

static size_t point_bytes(const struct evaluator *e) {
  return e->space->count * sizeof(double);
}

static struct evaluation *find(const struct evaluator *e, const double *point) {
  const uint64_t hash = hash_bytes(point, point_bytes(e));
  for (uint32_t at = hash_table_first(&e->by_point, hash), i;
       (i = hash_table_next(&e->by_point, hash, &at)) != HASH_INDEX_NONE;)
    if (memcmp(e->entries[i]->point, point, point_bytes(e)) == 0)
      return e->entries[i];
  return NULL;
}

static struct evaluation *add(struct evaluator *e, const double *point, struct error *error) {
  struct evaluation *entry = calloc(1, sizeof *entry);
  double *predictions = calloc(e->predictor->count, sizeof *predictions);
  if (!entry || !predictions || !array_room(&e->entries, &e->capacity, e->count + 1, sizeof *e->entries) ||
      !hash_table_add(&e->by_point, hash_bytes(point, point_bytes(e)), (uint32_t)e->count)) {
    free(entry);
    free(predictions);
    error_no_memory(error);
    return NULL;
  }
  memcpy(entry->point, point, point_bytes(e));
  entry->predictions = predictions;
  e->entries[e->count++] = entry;
  return entry;
}

int evaluator_add_known(struct evaluator *e, const double *point, const double *predictions, struct error *error) {
  if (find(e, point))
    return error_set(error, ERROR_INPUT, "found a point a second time");
  struct evaluation *entry = add(e, point, error);
  if (!entry)
    return -1;
  memcpy(entry->predictions, predictions, e->predictor->count * sizeof *predictions);
  return 0;
}

/* ---- new points ---- */

static int simulate_points(struct evaluator *e, const double *points, size_t count, double *predictions,
                           struct error *error) {
  struct gpu_spec *specs = calloc(count, sizeof *specs);
  if (!specs)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++)
    specs[i] = space_apply(e->space, e->spec, points + i * e->space->count);
  const int status = e->predictor->predict(e->predictor->context, specs, count, predictions, &e->refusal, error);
  free(specs);
  return status;
}

static int keep_points(struct evaluator *e, const double *points, size_t count, const double *predictions,
                       struct error *error) {
  for (size_t i = 0; i < count; i++) {
    const double *point = points + i * e->space->count;
    if (evaluator_add_known(e, point, predictions + i * e->predictor->count, error) != 0)
      return -1;
  }
  e->simulated += count;
  return !e->journal ? 0 : point_journal_append(e->journal, points, predictions, count, error);
}

int evaluator_learn(struct evaluator *e, double *point, const double *predictions, struct error *error) {
  space_normalise(e->space, point);
  return find(e, point) ? 0 : keep_points(e, point, 1, predictions, error);
}

static int evaluate_new(struct evaluator *e, const double *points, size_t count, struct error *error) {
  double *predictions = calloc(count * e->predictor->count, sizeof *predictions);
  if (!predictions)
    return error_no_memory(error);
  int status = simulate_points(e, points, count, predictions, error);
  if (status == 0)
    status = keep_points(e, points, count, predictions, error);
  free(predictions);
  return status;
}

static bool is_among(const struct evaluator *e, const double *point, const double *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(point, points + i * e->space->count, point_bytes(e)) == 0)
      return true;
  return false;
}

/* Writes the points that are not known to `fresh`, each once. Returns their number. */
static size_t choose_new(const struct evaluator *e, const double *points, size_t count, double *fresh) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    const double *point = points + i * e->space->count;
    if (!find(e, point) && !is_among(e, point, fresh, n))
      memcpy(fresh + e->space->count * n++, point, point_bytes(e));
  }
  return n;
}

static void hand_out(struct evaluator *e, const double *points, size_t count, const double **predictions) {
  for (size_t i = 0; i < count; i++) {
    struct evaluation *entry = find(e, points + i * e->space->count);
    if (!entry->asked && e->progress)
      progress_add(e->progress, 1);
    e->asked += !entry->asked;
    entry->asked = true;
    predictions[i] = entry->predictions;
  }
}

int evaluator_predict(struct evaluator *e, double *points, size_t count, const double **predictions,
                      struct error *error) {
  double *fresh = calloc(count * e->space->count, sizeof *fresh);
  if (!fresh)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++)
    space_normalise(e->space, points + i * e->space->count);
  const size_t n = choose_new(e, points, count, fresh);
  const int status = n > 0 ? evaluate_new(e, fresh, n, error) : 0;
  free(fresh);
  if (status == 0)
    hand_out(e, points, count, predictions);
  return status;
}
