/* Gathers the counts of a replay so far from its cores. */
#include <stdlib.h>

#include "model/replay/core.h"

static void add_sums(struct replay_result *result, const struct core_sums *sums) {
  result->events += sums->events;
  if (__builtin_add_overflow(result->run_slots, sums->run_slots, &result->run_slots))
    result->run_slots = UINT64_MAX;
}

/* Adds the ticks of the core's operations to the core's stack and to the sums of the operations. */
static void gather_core(const struct gpu_replay *replay, const struct core *core, struct replay_result *out) {
  uint64_t *stack = out->core_stacks[core->id];
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = core->stack[i];
  for (uint32_t op = 0; op < replay->trace->code.op_count; op++)
    for (int i = 0; i < SIM_STACK_COUNT; i++) {
      stack[i] += core->op_ticks[op][i];
      out->op_ticks[op][i] += core->op_ticks[op][i];
    }
  add_sums(out, &core->sums);
  sim_counters_add(&out->counters, core->counters);
  queue_ticks_add(&out->queues, &core->lsu.waited);
}

void replay_counts_add(const struct gpu_replay *replay, struct replay_result *out) {
  for (uint32_t i = 0; i < replay->core_count; i++)
    if (replay_has_core(replay, i))
      gather_core(replay, &replay->cores[i], out);
  if (replay->one_core.launch)
    return;
  sim_counters_add(&out->counters, &replay->memory.shared);
  queue_ticks_add(&out->queues, &replay->memory.slices.waited);
}

bool replay_counts_copy(const struct gpu_replay *replay, struct replay_result *out) {
  *out = (struct replay_result){.core_stacks = calloc(replay->core_count, sizeof *out->core_stacks),
                                .op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *out->op_ticks)};
  if (!out->core_stacks || !out->op_ticks)
    return false;
  replay_counts_add(replay, out);
  return true;
}

void replay_result_clear(struct replay_result *result) {
  free(result->core_stacks);
  free(result->op_ticks);
  *result = (struct replay_result){0};
}
