/* Cycle stacks: every tick of every execution engine belongs to exactly one component.
 *
 * Inside the model a stack is integers (ticks of execution engines). Reported stacks are averages over execution
 * engines in cycles, rounded to a grid such that the parts add up to the kernel's cycles exactly, in doubles and in any
 * order. Unit: a tick is 1/1024 cycle. Errors: none. Cost: O(components). Threads: any. */
#ifndef MODEL_CYCLE_STACK_H
#define MODEL_CYCLE_STACK_H

#include <stdint.h>

#include "model/result/result.h"

#define TICKS_PER_CYCLE 1024
/* The largest number of ticks of one kernel, 4e12 cycles, which keeps all sums in 64 bits and doubles exact. */
#define MAX_TICKS (UINT64_C(1) << 52)

enum stack_component {
#define X(field, name, meaning) STACK_##field,
  SIM_STACK_COMPONENTS(X)
#undef X
};

__extension__ typedef unsigned __int128 tick_sum;

/* Returns the number of ticks nearest to `cycles`. */
uint64_t cycles_to_ticks(double cycles);
/* Returns the ticks that `amount` takes at `rate` in a cycle, or 0 if the rate is 0 (unlimited). */
uint64_t ticks_per(int64_t amount, double rate);

static inline double ticks_to_cycles(uint64_t ticks) {
  return (double)ticks / TICKS_PER_CYCLE;
}

/* Returns the later of two points in time. */
static inline uint64_t ticks_later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Makes the reported stack from ticks of `engines` execution engines, which add up to engines * total. */
void cycle_stack_report(const tick_sum sums[SIM_STACK_COUNT], uint64_t engines, uint64_t total, struct sim_stack *out);

/* Returns the field of a component in a reported stack. */
double *sim_stack_field(struct sim_stack *stack, enum stack_component component);

#endif
