/* Attributes costs to the source lines of a kernel: the busy time that a replay charges to lines and, where it was
 * observed, the waiting of warps without an engine, which the cycle stack charges to no line.
 *
 * A component of the stack that is mostly waiting belongs to the line whose accesses (or barriers) of that component
 * warps waited for longest. Without an observer such a component has no line unless engines were busy with it.
 * Units: cycles; shares of the kernel's cycles. Ownership: everything is borrowed. Errors: none. Cost: O(lines +
 * operations). Threads: any. */
#ifndef DSE_LINE_COSTS_H
#define DSE_LINE_COSTS_H

#include <stdint.h>

#include "model/result/cycle_stack.h"
#include "model/result/result.h"
#include "model/timeline/observer.h"
#include "trace/trace.h"

struct line_costs {
  const struct sim_result *result;
  const struct trace_code *code;   /* of the trace; NULL where there is no observer */
  const struct observer *observer; /* NULL, or with no operations: the replay was not observed */
};

/* Returns the line that costs most in the components from `first` to `last`; 0: no line can be named. */
uint32_t line_costs_most(const struct line_costs *costs, enum stack_component first, enum stack_component last);
/* Writes the cycles that go to each operation of the code to `ops` [op_count]: those that the result charges to it and,
 * of the waiting that is charged to none, its share of the time that warps waited. The result needs operations. */
void line_costs_of_ops(const struct line_costs *costs, struct sim_stack *ops);

#endif
