/* Begins a warp's event on an execution engine. These are inline functions of the replay loop (core.c), which makes
 * `on` constant. */
#ifndef MODEL_CORE_EVENTS_H
#define MODEL_CORE_EVENTS_H

#include "model/replay/recorded/recorded_access.h"
#include "model/isa/spill.h"

/* Fetches the code of a run. Returns the ticks that the engine waits for it. */
static inline uint64_t fetch_code(struct gpu_replay *replay, struct core *core, const struct resident_warp *warp) {
  uint64_t misses = instruction_fetch_run(&replay->fetch, core_resident(replay, core, warp), core->id, &warp->warp);
  uint64_t ticks = instruction_fetch_ticks(&replay->fetch, misses);
  core->counters->instruction_misses += misses;
  core->stack[STACK_fetch] += ticks;
  return ticks;
}

/* Loads and stores the spilled values of a run of `slots` slots, which takes `ticks`. Returns the ticks by which the
 * run takes the engine longer: to issue them and, where they share the pipe of the load/store unit, until the last one
 * has passed it. */
static inline uint64_t spill_values(struct gpu_replay *replay, struct core *core, uint64_t slots, uint64_t ticks) {
  const uint64_t accesses = spill_accesses(replay->spill_share, slots), issue = core_slots_ticks(replay, accesses);
  uint64_t end = core->now + ticks + issue;
  if (core->lsu.shares_pipe) {
    const tick_sum passing = (tick_sum)accesses * replay->spill_pass_ticks / PRICE_ONE;
    pass_port_hold(&core->lsu.pipe, core->now, passing > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)passing);
    end = ticks_later(end, core->lsu.pipe.free);
  }
  core->stack[STACK_lsu] += end - core->now - ticks;
  return end - core->now - ticks;
}

/* Begins a run. Returns the time until which it takes the engine. */
CORE_INLINE uint64_t start_run(struct gpu_replay *replay, struct core *core, struct resident_warp *resident,
                               struct mechanisms on) {
  const struct warp *warp = &resident->warp;
  uint64_t ticks = core_slots_ticks(replay, warp->slots);
  uint64_t useful = ticks;
  if (!warp->at) {
    useful = (uint64_t)((tick_sum)ticks * warp->item_slots / ((tick_sum)warp->slots * warp->count));
    core->stack[STACK_divergence] += ticks - useful;
    core_add_slots(core, warp->slots);
    core->sums.work += warp->item_slots;
  } else {
    core->sums.work += warp->slots * warp->count;
  }
  core->stack[STACK_issue] += useful;
  if (replay->spill_share)
    ticks += spill_values(replay, core, warp->slots, ticks);
  if (replay->fetch.on)
    ticks += fetch_code(replay, core, resident);
  if (on.rare && replay->pipes.on)
    resident->pipes_end =
        engine_pipes_take(core->pipes_free, &replay->pipes, replay->execution_engines, core->now, warp->uses);
  return core->now + ticks;
}

static inline uint64_t start_barrier(struct gpu_replay *replay, struct core *core, uint32_t index) {
  core_charge(core, core->warps[index].warp.op, STACK_barrier, replay->barrier_ticks);
  return core->now + replay->barrier_ticks;
}

static inline void announce_event(struct gpu_replay *replay, const struct core *core, uint32_t index) {
  const struct replay_event event = event_of(core, index);
  replay->hooks.event_begin(replay->hooks.listener, &event);
}

/* Begins the next event of `warp`, whose place is `index`. Returns the time until which it takes the engine, or
 * CORE_UNKNOWN if that is not known yet. */
CORE_INLINE uint64_t core_begin_event(struct gpu_replay *replay, struct core *core, uint32_t index,
                                      struct resident_warp *warp, struct mechanisms on) {
  const enum warp_event event = (enum warp_event)warp->warp.event;
  core->sums.events++;
  if (on.rare && replay->hooks.event_begin)
    announce_event(replay, core, index);
  warp->warp.under_way = (uint8_t)event;
  uint64_t end;
  if (event == WARP_RUN) {
    end = start_run(replay, core, warp, on);
    read_next_event(core, warp, WARP_RUN, on);
  } else {
    end = event == WARP_ACCESS ? core_start_access(replay, core, index, &warp->warp, on)
                               : start_barrier(replay, core, index);
    read_next_event(core, warp, WARP_ACCESS, on);
  }
  return end;
}

#endif
