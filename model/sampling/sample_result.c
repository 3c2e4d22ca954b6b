#include "model/sampling/sample_result.h"

#include <math.h>

static void extend(uint64_t *count, uint64_t half, double factor) {
  const double whole = (double)*count + factor * (double)(*count - half);
  *count = whole < 0x1p63 ? (uint64_t)llround(whole) : *count;
}

static void extend_counts(struct replay_result *r, const struct replay_result *half, double factor) {
#define EXTEND(field) extend(&r->field, half->field, factor)
  EXTEND(events), EXTEND(run_slots);
#define X(place, field, name, unit, meaning) EXTEND(counters.field);
  SIM_COUNTERS(X)
#undef X
#define X(field, name, meaning) EXTEND(queues.field);
  SIM_QUEUES(X)
#undef X
#undef EXTEND
}

/* Divides the rest of the launch's time among components in proportion to the time since `half`; the rest of the
 * rounding is idle. */
static void extend_stack(uint64_t stack[SIM_STACK_COUNT], const uint64_t half[SIM_STACK_COUNT], uint64_t total) {
  double done = 0, since = 0;
  uint64_t sum = 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++) {
    done += (double)stack[i];
    since += (double)(stack[i] - half[i]);
  }
  const double factor = since > 0 ? fmax(0, ((double)total - done) / since) : 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++) {
    const uint64_t most = total - sum, part = (uint64_t)((double)stack[i] + factor * (double)(stack[i] - half[i]));
    sum += stack[i] = part < most ? part : most;
  }
  stack[STACK_idle] += total - sum;
}

void sample_extrapolate(struct replay_result *result, const struct replay_result *half, double factor, uint64_t ticks,
                        const struct gpu_replay *replay) {
  extend_counts(result, half, factor);
  for (uint32_t op = 0; op < replay->trace->code.op_count; op++)
    for (int i = 0; i < SIM_STACK_COUNT; i++)
      extend(&result->op_ticks[op][i], half->op_ticks[op][i], factor);
  for (uint32_t i = 0; i < replay->core_count; i++)
    extend_stack(result->core_stacks[i], half->core_stacks[i], ticks * replay->execution_engines);
  result->ticks = ticks;
}
