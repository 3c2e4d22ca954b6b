#include "model/result/cycle_stack.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *const sim_stack_names[SIM_STACK_COUNT] = {
#define X(field, name, meaning) name,
    SIM_STACK_COMPONENTS(X)
#undef X
};

uint64_t cycles_to_ticks(double cycles) {
  return (uint64_t)llround(cycles * TICKS_PER_CYCLE);
}

uint64_t ticks_per(int64_t amount, double rate) {
  return rate > 0 ? cycles_to_ticks(fmin((double)amount / rate, 1e9)) : 0;
}

void sim_stack_values(const struct sim_stack *stack, double values[SIM_STACK_COUNT]) {
  unsigned i = 0;
#define X(field, name, meaning) values[i++] = stack->field;
  SIM_STACK_COMPONENTS(X)
#undef X
}

double *sim_stack_field(struct sim_stack *stack, enum stack_component component) {
  switch (component) {
#define X(field, name, meaning)                                                                                        \
  case STACK_##field:                                                                                                  \
    return &stack->field;
    SIM_STACK_COMPONENTS(X)
#undef X
  }
  assert(0);
  return NULL;
}

/* Returns the number of bits behind the tick that the grid may have so that total * 2^bits is still an exact double:
 * the largest, up to 10. */
static unsigned grid_bits(uint64_t total) {
  unsigned bits = 10;
  while (bits > 0 && total >= MAX_TICKS >> bits)
    bits--;
  return bits;
}

/* Rounding the running sums instead of the parts leaves no residue: the last running sum is the total itself. Parts and
 * all their sums are multiples of the grid below 2^53 grid steps, so adding them in doubles is exact. */
void cycle_stack_report(const tick_sum sums[SIM_STACK_COUNT], uint64_t engines, uint64_t total, struct sim_stack *out) {
  unsigned bits = grid_bits(total);
  tick_sum running = 0;
  uint64_t before = 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++) {
    running += sums[i];
    uint64_t rounded = (uint64_t)(((running << bits) + engines / 2) / engines);
    *sim_stack_field(out, (enum stack_component)i) = ldexp((double)(rounded - before), -(int)bits) / TICKS_PER_CYCLE;
    before = rounded;
  }
  assert(running == (tick_sum)total * engines);
}

void sim_result_clear(struct sim_result *result) {
  free(result->core_stacks);
  free(result->lines);
  free(result->ops);
  *result = (struct sim_result){0};
}

struct sim_result sim_result_totals(const struct sim_result *result) {
  struct sim_result totals = *result;
  totals.core_stacks = NULL;
  totals.lines = NULL;
  totals.ops = NULL;
  totals.core_count = 0;
  totals.line_count = totals.op_count = 0;
  return totals;
}
