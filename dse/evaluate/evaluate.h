/* Predictions of a sweep, (GPU description, workload) -> values, and the store of all of them.
 *
 * Purpose:   the rest of dse does not know how a result comes about: by an exact replay of every launch of the
 *            workload, or, for designs of one family (families.h), by timing a recorded one, which is approximate and
 *            says so.
 * Shapes:    values[] has outcome_value_count() numbers: those of model/result/result_values.h in their order, then
 *            energy_pj. Launches of a workload run one after another with cold caches: numbers add up, ratios are
 *            weighted by warp instructions.
 * Ownership: borrows traces and ISA profile.
 * Threads:   evaluate*() from any number of threads. */
#ifndef DSE_EVALUATE_H
#define DSE_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dse/evaluate/number_rows.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "model/result/result_values.h"
#include "trace/trace.h"

struct evaluation_workload {
  char *name;
  const struct trace **traces; /* a launch each */
  size_t trace_count;
  uint64_t digest; /* of the traces' bytes */
};

struct evaluation {
  struct evaluation_workload *workloads;
  size_t workload_count;
  const struct isa_profile *isa;
};

enum { MOST_OUTCOME_VALUES = 64 };

size_t outcome_value_count(void);
const char *outcome_value_name(size_t index);
/* Returns the index of a value by its name, "time_ns", which has to exist. */
size_t outcome_value(const char *name);

/* Exactly. */
int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *values,
             struct error *error);
/* A family: specs[0] exactly, the others as its recorded replay says. values: [count][outcome_value_count()]. A
 * result depends on its own spec and on specs[0] only; exact[i] where it equals evaluate()'s to the bit. */
int evaluate_family(const struct evaluation *evaluation, const struct gpu_spec *specs, size_t count, size_t workload,
                    double *values, bool *exact, struct error *error);

/* All results of a sweep: one row per design and workload, as first found, exact or approximate; and, where a design
 * that was approximate had to be exact, that. */
struct outcomes {
  size_t design_count, workload_count, value_count;
  struct number_rows *values; /* [design][workload]: as first found */
  unsigned char *state;       /* [design][workload]: 0 missing, 1 exact, 2 approximate */
  double **confirmed;         /* [design]: [workload][value], NaN: not known; NULL: nothing known */
  bool *shown_confirmed;      /* [design]: outcomes_at gives what is confirmed */
};

enum outcome_kind { OUTCOME_MISSING, OUTCOME_EXACT, OUTCOME_APPROXIMATE, OUTCOME_CONFIRMED };

int outcomes_init(struct outcomes *outcomes, size_t design_count, size_t workload_count, struct error *error);
void outcomes_clear(struct outcomes *outcomes);
double *outcomes_at(const struct outcomes *outcomes, size_t design, size_t workload);
/* Returns whether what outcomes_at gives is exact: for one workload, for all. */
bool outcomes_exact(const struct outcomes *outcomes, size_t design, size_t workload);
bool outcomes_all_exact(const struct outcomes *outcomes, size_t design);
/* Keeps a result; OUTCOME_CONFIRMED is an exact one beside an approximate one. One that is there already must be the
 * same, else -1. 1: out of memory. */
int outcomes_put(struct outcomes *outcomes, size_t design, size_t workload, const double *values,
                 enum outcome_kind kind);
bool outcomes_has(const struct outcomes *outcomes, size_t design, size_t workload, enum outcome_kind kind);
bool outcomes_is_confirmed(const struct outcomes *outcomes, size_t design, size_t workload);
size_t outcomes_missing(const struct outcomes *outcomes);

#endif
