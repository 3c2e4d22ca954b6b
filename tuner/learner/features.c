#include "tuner/learner/features.h"

#include <math.h>
#include <stdlib.h>

#include "trace/statistics/statistics.h"
#include "trace/statistics/summary.h"

const char *const feature_view_names[FEATURE_VIEWS + 1] = {"counts", "per core", "logarithms", "parameters"};

/* The columns: the counts of the statistics, and the percentage. */
enum {
#define X(field, name, meaning) COLUMN_##field,
  STATISTICS_COUNTS(X)
#undef X
      COLUMN_DIVERGENCE,
  COLUMNS
};

static int allocate(size_t examples, struct features *out, struct error *error) {
  *out = (struct features){.examples = examples, .columns = COLUMNS};
  out->values = calloc(examples * COLUMNS + 1, sizeof *out->values);
  return out->values ? 0 : error_no_memory(error);
}

static void set_example(const struct statistics *s, double example[COLUMNS]) {
#define X(field, name, meaning) example[COLUMN_##field] = (double)s->field;
  STATISTICS_COUNTS(X)
#undef X
  example[COLUMN_DIVERGENCE] = s->divergence_percentage;
}

int features_count(const struct trace *const *traces, size_t count, uint32_t warp_size, struct features *out,
                   struct error *error) {
  int status = allocate(count, out, error);
  for (size_t i = 0; i < count && status == 0; i++) {
    struct trace_summary summary;
    struct statistics statistics;
    status = trace_summary_compute(traces[i], &summary, error);
    if (status != 0)
      break;
    statistics_compute(traces[i], &summary, warp_size, &statistics);
    trace_summary_clear(&summary);
    set_example(&statistics, out->values + i * COLUMNS);
  }
  if (status != 0)
    features_clear(out);
  return status;
}

/* Divides counts among cores. Shares, pages and the number of work-groups are not work and stay as they are. */
static void divide_among_cores(double example[COLUMNS], int64_t cores) {
  const double groups = example[COLUMN_work_groups];
  for (size_t c = 0; c < COLUMN_DIVERGENCE && groups > 0; c++)
    if (c != COLUMN_work_groups && c != COLUMN_pages_touched)
      example[c] *= ceil(groups / (double)cores) / groups;
}

int features_view(const struct features *counts, enum feature_view view, int64_t cores, struct features *out,
                  struct error *error) {
  if (allocate(counts->examples, out, error) != 0)
    return -1;
  for (size_t i = 0; i < counts->examples * COLUMNS; i++)
    out->values[i] = view == FEATURES_LOGARITHMS ? log1p(counts->values[i]) : counts->values[i];
  for (size_t i = 0; i < counts->examples && view == FEATURES_PER_CORE; i++)
    divide_among_cores(out->values + i * COLUMNS, cores);
  return 0;
}

void features_clear(struct features *features) {
  free(features->values);
  *features = (struct features){0};
}
