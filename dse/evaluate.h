/* The one door through which a sweep predicts: (GPU description, workload) -> measures.
 *
 * Purpose: the rest of dse does not know how a result comes about. Today each call is a cold, exact replay of every
 *          launch of the workload; whatever reuses work between designs belongs behind evaluate() and says with `exact`
 *          whether a result equals a cold replay's to the bit.
 * Shapes: measures[] has outcome_measure_count() numbers: those of model/measures.h in their order, then energy_pj.
 *         Launches of a workload run one after another with cold caches: numbers add up, ratios are weighted by warp
 *         instructions. Ownership: borrows traces and ISA profile. Threads: evaluate() from any number of threads. */
#ifndef DSE_EVALUATE_H
#define DSE_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/gpu.h"
#include "model/isa.h"
#include "model/measures.h"
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

enum { MOST_MEASURES = 64 };

size_t outcome_measure_count(void);
const char *outcome_measure_name(size_t index);
/* Index of a measure that is known to be there: "time_ns". */
size_t outcome_measure(const char *name);

int evaluate(const struct evaluation *evaluation, const struct gpu_spec *spec, size_t workload, double *measures,
             bool *exact, struct error *error);

/* All results of a sweep: one row per design and workload. */
struct outcomes {
  size_t design_count, workload_count, measure_count;
  double *measures;     /* [design][workload][measure] */
  unsigned char *state; /* [design][workload]: 0 missing, 1 exact, 2 approximate */
};

enum { OUTCOME_MISSING, OUTCOME_EXACT, OUTCOME_APPROXIMATE };

int outcomes_init(struct outcomes *outcomes, size_t design_count, size_t workload_count, struct error *error);
void outcomes_clear(struct outcomes *outcomes);
double *outcomes_at(const struct outcomes *outcomes, size_t design, size_t workload);
/* Keeps a result; one that is there already must be the same, else -1. */
int outcomes_put(struct outcomes *outcomes, size_t design, size_t workload, const double *measures, bool exact);
size_t outcomes_missing(const struct outcomes *outcomes);

#endif
