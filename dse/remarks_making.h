/* The parts of remarks (dse/remarks.h) share the kernel, its replay and the list that grows.
 *
 * Ownership: remarks_make owns everything. Errors: `no_memory`. Threads: one. */
#ifndef DSE_REMARKS_MAKING_H
#define DSE_REMARKS_MAKING_H

#include <stdbool.h>

#include "dse/line_costs.h"
#include "dse/remarks.h"

/* Shares of a kernel's cycles from which a cost is remarked on (chosen on the shipped kernels). */
#define WORTH_SHARE       0.10
#define SMALL_WORTH_SHARE 0.05 /* of what a change of one place removes: divergence, barriers, bank conflicts, lanes */

struct making {
  const struct trace *trace;
  const struct gpu_spec *spec;
  const struct sim_result *result;
  struct line_costs costs;
  struct sim_stack *ops; /* [op_count]: cycles of each operation, waiting included */
  struct remarks *out;
  bool no_memory;
};

/* Adds a remark. `cost`: the share of the kernel's cycles that it is about, 0: not known. `advice`: what to try. */
void remarks_say(struct making *m, enum remark_kind kind, uint32_t line, double cost, const char *advice,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Remarks on memory accesses, by source line; needs an observer (remarks_accesses.c). */
void remarks_on_accesses(struct making *m);
/* Remarks on operations that take many issue slots (remarks_operations.c). */
void remarks_on_operations(struct making *m);

static inline double share_of_time(const struct making *m, double cycles) {
  return m->result->cycles > 0 ? cycles / m->result->cycles : 0;
}

#endif
