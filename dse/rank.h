/* Orders variants by predicted time and says why each is slower than the best.
 *
 * Purpose: programmers of kernels choose among variants by it. A reason is one component of the cycle stack in which
 * the variant spends more (or less) than the best one, with the source line that costs most in that component
 * (dse/line_costs.h).
 * Units: cycles of the GPU.
 * Interval: cycles / (1 + e) to cycles * (1 + e), e = the GPU file's prediction_error_ratio.
 * Tiers: a tier consists of its fastest variant and those that take at most 1 + o times as long, where o is the file's
 * order_error_ratio: variants share most errors of a prediction, so their order is known better than their times. A
 * chain of neighbours that overlap would put all variants into one tier.
 * Ownership: rank_variants allocates the entries' reasons; rank_clear frees. Names and results are borrowed.
 * Errors:    out of memory only.
 * Cost:      O(n log n + lines). */
#ifndef DSE_RANK_H
#define DSE_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/simulate.h"
#include "model/timeline/observer.h"

struct rank_variant {
  const char *name;
  const struct sim_result *result;
  const struct trace_code *code;   /* with `observer`: of its trace */
  const struct observer *observer; /* of its replay, for the lines of what warps wait for; NULL: not observed */
};

struct rank_reason {
  const char *component; /* one of sim_stack_names */
  double cycles;         /* cycles more than the best variant spends; negative: fewer */
  uint32_t source_line;  /* 0: no line can be named */
};

struct rank_entry {
  size_t variant; /* index into the variants that were given */
  double cycles, low, high;
  double relative;             /* cycles / cycles of the best */
  size_t tier;                 /* from 1 on; variants of a tier cannot be told from its fastest one */
  bool tied_with_previous;     /* both are in one tier */
  struct rank_reason *reasons; /* largest first; empty for the best */
  size_t reason_count;
};

struct ranking {
  struct rank_entry *entries; /* fastest first; equal times keep the given order */
  size_t count;
};

/* The errors that a GPU file states, as ratios minus 1. */
struct rank_errors {
  double prediction; /* of one prediction */
  double order;      /* difference of two predictions beyond which their order is known */
};

/* Returns the errors of a GPU. If that of the order is not measured, it is that of one prediction. */
struct rank_errors rank_errors_of(const struct gpu_spec *spec);
int rank_variants(const struct rank_variant *variants, size_t count, struct rank_errors errors, struct ranking *out,
                  struct error *error);
void rank_clear(struct ranking *ranking);

#endif
