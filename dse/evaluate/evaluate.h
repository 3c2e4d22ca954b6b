/* Predictions of a sweep, (GPU description, workload) -> values, and the store of all of them.
 *
 * Purpose: the rest of dse does not depend on how a result is computed: by an exact replay of every launch of the
 * workload, or, for designs of one family (families.h), by timing a recorded one, which is approximate and is marked
 * so.
 * Shapes: values[] has outcome_value_count() numbers: those of model/result/result_values.h in their order, then
 * energy_pj. Launches of a workload run one after another with cold caches: numbers add up, ratios are weighted by warp
 * instructions.
 * Ownership: traces and ISA profile are borrowed.
 * Threads: evaluate*() may be called by any number of threads. */
#ifndef DSE_EVALUATE_H
#define DSE_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dse/evaluate/number_table.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "model/result/result_values.h"
#include "trace/trace.h"

struct evaluation_workload {
  char *name;
  const struct trace **traces; /* [trace_count], one for each launch */
  size_t trace_count;
  uint64_t digest; /* hash of the traces' bytes */
};

struct evaluation {
  struct evaluation_workload *workloads;
  size_t workload_count;
  const struct isa_profile *isa;
};

enum { MOST_OUTCOME_VALUES = 64 };

size_t outcome_value_count(void);
const char *outcome_value_name(size_t index);
/* Returns the index of the value with this name, "time_ns", which must exist. */
size_t outcome_value(const char *name);

/* Computes the values exactly. */
int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *values,
             struct error *error);
/* Computes the values of a family: specs[0] exactly, the others by timing its recorded replay. values:
 * [count][outcome_value_count()]. A result depends only on its own spec and on specs[0]; exact[i] tells whether it
 * equals evaluate()'s to the bit. */
int evaluate_family(const struct evaluation *evaluation, const struct gpu_spec *specs, size_t count, size_t workload,
                    double *values, bool *exact, struct error *error);

/* All results of a sweep: one record for each design and workload, as first computed, exact or approximate; and the
 * exact result of a design whose approximate one had to be confirmed. */
struct outcomes {
  size_t design_count, workload_count, value_count;
  struct number_table *values; /* [design][workload]: first results */
  unsigned char *state;        /* [design][workload]: 0 missing, 1 exact, 2 approximate */
  double **confirmed;          /* [design]: [workload][value], NaN: not known; NULL: none is known */
  bool *shown_confirmed;       /* [design]: outcomes_at returns the confirmed results */
};

enum outcome_kind { OUTCOME_MISSING, OUTCOME_EXACT, OUTCOME_APPROXIMATE, OUTCOME_CONFIRMED };

int outcomes_init(struct outcomes *outcomes, size_t design_count, size_t workload_count, struct error *error);
void outcomes_clear(struct outcomes *outcomes);
double *outcomes_at(const struct outcomes *outcomes, size_t design, size_t workload);
/* These functions return whether the results of outcomes_at are exact: for one workload, for all. */
bool outcomes_exact(const struct outcomes *outcomes, size_t design, size_t workload);
bool outcomes_all_exact(const struct outcomes *outcomes, size_t design);
/* Stores a result; OUTCOME_CONFIRMED is an exact one beside an approximate one. Returns -1 if another result is stored
 * already, 1 when out of memory, else 0. */
int outcomes_put(struct outcomes *outcomes, size_t design, size_t workload, const double *values,
                 enum outcome_kind kind);
bool outcomes_has(const struct outcomes *outcomes, size_t design, size_t workload, enum outcome_kind kind);
bool outcomes_is_confirmed(const struct outcomes *outcomes, size_t design, size_t workload);
size_t outcomes_missing(const struct outcomes *outcomes);

#endif
