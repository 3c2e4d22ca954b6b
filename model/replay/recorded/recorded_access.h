/* Events of recorded warps, whose costs are looked up by class. These are inline functions of the replay loop (core.c),
 * which makes `on` constant. */
#ifndef MODEL_RECORDED_ACCESS_H
#define MODEL_RECORDED_ACCESS_H

#include "model/replay/core_access.h"

/* Lets the event take its port now. Returns the ticks that it waits there. */
static inline uint64_t recorded_take_port(struct core *core, const struct event_costs *costs, uint16_t number) {
  uint64_t *free = &core->port_free[costs->port[number]];
  const uint64_t begin = *free > core->now ? *free : core->now;
  *free = begin + costs->port_ticks[number];
  return begin - core->now;
}

/* Begins an event at its port. Returns the ticks by which it takes the engine longer than its cost. */
static inline uint64_t recorded_begin_at_port(struct core *core, const struct event_costs *costs,
                                              struct resident_warp *warp, uint16_t number, struct mechanisms on) {
  const uint64_t wait = recorded_take_port(core, costs, number);
  if (on.blocking)
    core->stack[costs->waits[number]] += wait;
  else
    warp->latency = wait + costs->memory[number];
  return on.blocking ? wait : 0;
}

/* Returns the access of a class in the form that L2's queue takes: its latencies count for the component that its warp
 * waits for. */
static inline struct memory_access recorded_access(const struct gpu_replay *replay, uint16_t number) {
  const struct event_costs *costs = replay->recorded->costs;
  const struct recorded_pattern *pattern = &costs->patterns->patterns[costs->pattern[number]];
  struct memory_access access = {.transactions = costs->lines[number],
                                 .passes = costs->lines[number],
                                 .op_class = OP_LOAD,
                                 .atomic_ticks = costs->atomic[number],
                                 .lines = replay->no_lines};
  if (costs->shared[number]) {
    access.shared = pattern->own;
    access.fetched = pattern->fetched;
    access.evicted = pattern->evicted;
  }
  uint64_t *ticks = costs->waits[number] == STACK_dram ? &access.dram_ticks
                    : costs->waits[number] == STACK_l2 ? &access.l2_ticks
                    : costs->waits[number] == STACK_l1 ? &access.l1_ticks
                                                       : &access.store_ticks;
  *ticks += costs->memory[number] - costs->atomic[number];
  return access;
}

/* Returns whether an access of this class passes the load/store unit or waits at L2. */
CORE_INLINE bool recorded_queues(const struct gpu_replay *replay, const struct core *core, uint16_t number) {
  return replay->recorded->costs->lines[number] > 0 &&
         (core->lsu.transaction_ticks + core->lsu.link_ticks > 0 || replay->recorded->costs->shared[number]);
}

/* Begins an access that goes on to L2, under `blocking`, where the core is replayed in place of all. Returns the time
 * at which it ends. */
static inline uint64_t recorded_begin_for_all(struct gpu_replay *replay, struct core *core, uint16_t number) {
  const struct event_costs *costs = replay->recorded->costs;
  const struct recorded_pattern *pattern = &costs->patterns->patterns[costs->pattern[number]];
  const uint64_t leaves = core->now + lsu_pass(&core->lsu, costs->lines[number], core->now);
  const uint64_t arrives = lsu_cross(&core->lsu, leaves, pattern->own, (uint32_t)pattern->fetched + pattern->evicted);
  const struct recorded_wait wait =
      recorded_l2_serve_for_all(&replay->recorded_l2, costs->patterns, costs->pattern[number], arrives);
  core->lsu.free = ticks_later(core->lsu.free, arrives);
  core->stack[STACK_lsu] += arrives - core->now;
  core->stack[STACK_bandwidth] += wait.queues;
  core->stack[STACK_atomic] += wait.atomics + costs->atomic[number];
  return arrives + wait.queues + wait.atomics + costs->memory[number];
}

CORE_INLINE uint64_t recorded_begin_queued(struct gpu_replay *replay, struct core *core, uint32_t index,
                                           uint16_t number, struct mechanisms on) {
  if (on.blocking && replay->only != REPLAY_ALL_CORES)
    return recorded_begin_for_all(replay, core, number);
  const struct memory_access access = recorded_access(replay, number);
  const uint64_t issue = on.blocking ? 0 : replay->recorded->costs->engine[number];
  return access_queued(replay, core, index, issue, number, &access, on);
}

/* Lets an access that begins at `time` and stays in the core pass the load/store unit, under `blocking`. Returns the
 * time at which it ends. */
CORE_INLINE uint64_t recorded_pass_unit(const struct gpu_replay *replay, struct core *core, uint16_t number,
                                        uint64_t time) {
  const struct event_costs *costs = replay->recorded->costs;
  const uint64_t wait = lsu_pass(&core->lsu, costs->lines[number], time);
  core->stack[STACK_lsu] += wait;
  return time + wait + costs->memory[number];
}

/* Begins the event of the warp at place `index`. Returns the time until which it takes the engine, or CORE_UNKNOWN if
 * that is not known yet. */
CORE_INLINE uint64_t recorded_begin(struct gpu_replay *replay, struct core *core, uint32_t index, uint16_t number,
                                    struct mechanisms on) {
  const struct event_costs *costs = replay->recorded->costs;
  struct resident_warp *warp = &core->warps[index];
  uint64_t end = core->now + costs->engine[number];
  if (!on.blocking) {
    warp->latency = costs->latency[number];
    warp->waits = costs->waits[number];
  }
  if (costs->ports && costs->port[number])
    end += recorded_begin_at_port(core, costs, warp, number, on);
  if (on.queued && on.blocking && costs->lines[number] > 0 && !costs->shared[number])
    end = recorded_pass_unit(replay, core, number, core->now);
  else if (on.queued && recorded_queues(replay, core, number))
    end = recorded_begin_queued(replay, core, index, number, on);
  return end;
}

/* Gives the warps that have been ready for longest to free execution engines. */
CORE_INLINE void recorded_assign(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->ready_count > 0 && core->busy < replay->execution_engines) {
    const uint32_t at = core->ready_head++ & core->ready_mask;
    const uint32_t index = core->recorded[moment_age(core->ready_moments[at])].place;
    core->ready_count--;
    core_occupy(core, index, recorded_begin(replay, core, index, core->ready_numbers[at], on));
  }
}

#endif
