/* Gathers the counts of a replay so far from its cores, and extends those of one replayed core to the whole launch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- from the replayed part to the whole launch ---- */

static uint64_t scaled(uint64_t count, double factor) {
  const double whole = (double)count * factor;
  return whole < 0x1p63 ? (uint64_t)llround(whole) : count;
}

static void scale_counts(struct replay_result *result, uint32_t op_count, double factor) {
  result->events = scaled(result->events, factor);
  result->run_slots = scaled(result->run_slots, factor);
  for (uint32_t op = 0; op < op_count; op++)
    for (int i = 0; i < SIM_STACK_COUNT; i++)
      result->op_ticks[op][i] = scaled(result->op_ticks[op][i], factor);
#define X(place, field, name, unit, meaning) result->counters.field = scaled(result->counters.field, factor);
  SIM_COUNTERS(X)
#undef X
#define X(field, name, meaning) result->queues.field = scaled(result->queues.field, factor);
  SIM_QUEUES(X)
#undef X
}

/* Adds the counts at L2 and behind it, for all cores. */
static void add_shared(const struct gpu_replay *replay, struct replay_result *result, double factor) {
#define X(place, field, name, unit, meaning) result->counters.field += scaled(replay->memory.shared.field, factor);
  SIM_COUNTERS(X)
#undef X
#define X(field, name, meaning) result->queues.field += scaled(replay->memory.slices.waited.field, factor);
  SIM_QUEUES(X)
#undef X
}

/* Gives every core the replayed core's stack, extended to the ticks of the whole launch; the rest of the rounding is
 * idle. */
static void extend_stacks(const struct gpu_replay *replay, uint64_t ticks, struct replay_result *result) {
  const uint64_t total = result->ticks * replay->execution_engines;
  const double factor = ticks > 0 ? (double)result->ticks / (double)ticks : 1;
  uint64_t *first = result->core_stacks[0], sum = 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++) {
    const uint64_t part = scaled(first[i], factor), most = total - sum;
    sum += first[i] = part < most ? part : most;
  }
  first[STACK_idle] += total - sum;
  for (uint32_t core = 1; core < replay->core_count; core++)
    memcpy(result->core_stacks[core], first, sizeof result->core_stacks[core]);
}

/* Returns the ticks in which the replayed core takes as many work-groups as it has places, of which the last one starts
 * `earlier` work-groups before the last of the replayed part. */
static double period(const struct gpu_replay *replay, uint32_t earlier) {
  const uint64_t *started = replay->one_core.started;
  const uint32_t last = replay->group_count - 1 - earlier;
  return (double)started[last] - (double)started[last - replay->group_places];
}

/* Records the counts at L2 with the answers, or takes them from the answers. */
static void keep_counts(struct gpu_replay *replay) {
  struct one_core *one = &replay->one_core;
  const struct one_core_launch *launch = one->launch;
  if (launch->record)
    launch->record->all = (struct l2_totals){replay->memory.shared, replay->memory.slices.waited, one->covered};
  if (launch->answers) {
    replay->memory.shared = launch->answers->all.shared;
    replay->memory.slices.waited = launch->answers->all.waited;
    one->covered = launch->answers->all.covered;
  }
}

void one_core_finish(struct gpu_replay *replay, uint64_t ticks, struct replay_result *result) {
  const struct one_core *one = &replay->one_core;
  keep_counts(replay);
  const double launch = (double)one_core_launch_groups(one->launch);
  const uint32_t rest = one->launch->answers ? 0 : one->launch->core_groups - replay->group_count;
  double added = 0, moved = 0;
  if (rest > 0) {
    added = (double)rest / replay->group_places * period(replay, 0);
    const uint32_t earlier = replay->group_count - 1 - replay->group_places;
    moved = fabs(period(replay, earlier < replay->group_places / 2 ? earlier : replay->group_places / 2) /
                     period(replay, 0) -
                 1);
  }
  result->ticks = ticks + (uint64_t)added;
  replay_counts_add(replay, result);
  scale_counts(result, replay->trace->code.op_count, launch / replay->group_count);
  add_shared(replay, result, launch / (double)one->covered);
  extend_stacks(replay, ticks, result);
  result->estimate = (struct replay_estimate){
      .estimated = true,
      .share = replay->group_count / launch,
      .bound = one->launch->bound + (moved * added + (double)one->launch->bound_ticks) / (double)result->ticks};
}
