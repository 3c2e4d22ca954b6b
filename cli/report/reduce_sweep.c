/* Sweeps whose points would make the page larger than 2 MB. A point without a name and workloads takes about 80 bytes
 * of the page, a speed-up of a workload about 45. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/report/reduce.h"

enum { MOST_RESULTS = 10000, MOST_NAMED = 2000, MOST_POINTS = 8000 };

static void leave_out_member(json_t *points, const char *key) {
  json_t *point;
  size_t i;
  json_array_foreach(points, i, point) {
    json_object_del(point, key);
  }
}

/* Keeps the name and the speed-up of the result of each workload. */
static void leave_out_times(json_t *points) {
  static const char *const keys[] = {"cycles", "time_ns", "exact"};
  json_t *point, *result;
  size_t i, w;
  json_array_foreach(points, i, point) {
    json_array_foreach(json_object_get(point, "workloads"), w, result) {
      for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        json_object_del(result, keys[k]);
    }
  }
}

static void mark(json_t *list, bool *keep, size_t count) {
  json_t *row;
  size_t i;
  json_array_foreach(list, i, row) {
    const json_int_t point = json_integer_value(json_object_get(row, "point"));
    if (point >= 0 && (size_t)point < count)
      keep[point] = true;
  }
}

/* Marks the designs that the answers name. */
static void mark_answers(json_t *document, bool *keep, size_t count) {
  json_t *answer, *target;
  size_t a, t;
  json_array_foreach(json_object_get(document, "answers"), a, answer) {
    mark(json_object_get(answer, "pareto"), keep, count);
    json_array_foreach(json_object_get(answer, "targets"), t, target) {
      mark(json_object_get(target, "designs"), keep, count);
    }
  }
}

static int thin(struct document *document, json_t *points, struct error *error) {
  const size_t count = json_array_size(points), step = (count + MOST_POINTS - 1) / MOST_POINTS;
  bool *keep = calloc(count, sizeof *keep);
  json_t *kept = json_array();
  if (!keep || !kept) {
    free(keep);
    json_decref(kept);
    return error_no_memory(error);
  }
  mark_answers(document->json, keep, count);
  for (size_t i = 0; i < count; i++)
    if (i % step == 0 || keep[i])
      json_array_append(kept, json_array_get(points, i));
  json_object_set_new(document->json, "points", kept);
  free(keep);
  return 0;
}

int reduce_sweep(struct document *document, char **note, struct error *error) {
  json_t *points = json_object_get(document->json, "points");
  const size_t count = json_array_size(points);
  const size_t workloads = json_array_size(json_object_get(json_array_get(points, 0), "workloads"));
  const bool without_results = count * workloads > MOST_RESULTS;
  *note = NULL;
  if (count > MOST_NAMED) {
    leave_out_member(points, "name");
    leave_out_times(points);
  }
  if (without_results)
    leave_out_member(points, "workloads");
  if (count > MOST_POINTS && thin(document, points, error) != 0)
    return -1;
  const size_t shown = json_array_size(json_object_get(document->json, "points"));
  if (shown < count || without_results)
    *note = text_format("The page shows %zu of %zu designs%s; the folder of the sweep has all.", shown, count,
                        without_results ? ", and not the speed-ups of single workloads" : "");
  return 0;
}
