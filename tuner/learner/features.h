/* Features of kernels, from which their times are learned: functional statistics, without a model of a GPU.
 *
 * Purpose: the inputs of learned baselines and of subsets (learned.h, subset.h): the counts of
 * trace/statistics/statistics.h and the divergence percentage, in three views:
 * - FEATURES_COUNTS: unchanged;
 * - FEATURES_PER_CORE: counts over all work-items become those of the work-groups that one core runs one after another,
 *   count / work-groups * ceil(work-groups / cores) (Kaszyk, PhD thesis, section 5.2.4, equation 5.2);
 * - FEATURES_LOGARITHMS: ln(1 + count), because times and counts span decades and times are mostly products.
 * FEATURES_PARAMETERS needs no trace: it is the parameters of a board's workloads.
 * Shapes: values[example * columns + column], one example for each kernel.
 * Ownership: features_clear frees.
 * Errors: out of memory.
 * Cost: a trace summary for each kernel.
 * Threads: any. */
#ifndef TUNER_FEATURES_H
#define TUNER_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

enum feature_view {
  FEATURES_COUNTS,
  FEATURES_PER_CORE,
  FEATURES_LOGARITHMS,
  FEATURE_VIEWS,
  FEATURES_PARAMETERS = FEATURE_VIEWS
};

extern const char *const feature_view_names[FEATURE_VIEWS + 1];

struct features {
  size_t examples, columns;
  double *values;
};

/* Makes features of the counts, with warps of `warp_size`. */
int features_count(const struct trace *const *traces, size_t count, uint32_t warp_size, struct features *out,
                   struct error *error);
/* Makes a view of counts, for a GPU with `cores` cores. */
int features_view(const struct features *counts, enum feature_view view, int64_t cores, struct features *out,
                  struct error *error);
/* Makes FEATURES_PARAMETERS from texts such as "xgemm:MWG=64,SA=1": for each parameter that is a number in every text
 * and not the same in all, ln(1 + value), and all products of two of these. There are no columns if there is no such
 * parameter. */
int features_of_parameters(const char *const *workloads, size_t count, struct features *out, struct error *error);
void features_clear(struct features *features);

#endif
