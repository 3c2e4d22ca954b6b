/* A warp's event begins on an execution engine. Bodies for the replay loop (core.c), which makes `on` constant. */
#ifndef MODEL_CORE_EVENTS_H
#define MODEL_CORE_EVENTS_H

#include "model/core_access.h"

/* Ticks that the engine waits for the run's instructions. */
static uint64_t fetch_code(struct engine *engine, struct core *core, const struct resident_warp *warp) {
  uint64_t misses = instruction_fetch_run(&engine->fetch, core_resident(engine, core, warp), core->id, &warp->warp);
  uint64_t ticks = instruction_fetch_ticks(&engine->fetch, misses);
  core->sums.instruction_misses += misses;
  core->stack[STACK_fetch] += ticks;
  return ticks;
}

/* Returns until when it takes the engine. */
CORE_INLINE uint64_t start_run(struct engine *engine, struct core *core, const struct resident_warp *resident) {
  const struct warp *warp = &resident->warp;
  uint64_t ticks = core_slots_ticks(engine, warp->slots);
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
  if (engine->fetch.on)
    ticks += fetch_code(engine, core, resident);
  return core->now + ticks;
}

static uint64_t start_barrier(struct engine *engine, struct core *core, uint32_t index) {
  core_charge(core, core->warps[index].warp.op, STACK_barrier, engine->barrier_ticks);
  return core->now + engine->barrier_ticks;
}

/* Accesses are recorded when their outcome is known. */
static void record_event(struct engine *engine, const struct core *core, const struct resident_warp *warp) {
  const uint64_t resident = core_resident(engine, core, warp);
  if (warp->warp.event == WARP_RUN)
    event_recorder_run(engine->recorder, resident, warp->warp.slots, warp->warp.item_slots,
                       warp->warp.at ? 0 : warp->warp.count);
  else if (warp->warp.event == WARP_BARRIER)
    event_recorder_barrier(engine->recorder, resident);
}

static void observe_begin(struct engine *engine, const struct core *core, uint32_t index) {
  const struct resident_warp *warp = &core->warps[index];
  const enum span_kind kind = warp->warp.event == WARP_RUN       ? SPAN_RUN
                              : warp->warp.event == WARP_BARRIER ? SPAN_BARRIER
                                                                 : SPAN_ACCESS;
  observer_begin(engine->observer, core->id, index, core->groups[warp->slot].group, kind, warp->warp.op, core->now);
}

/* `warp` is number `index`. Returns until when the event takes the engine; CORE_UNKNOWN: not known yet. */
CORE_INLINE uint64_t core_begin_event(struct engine *engine, struct core *core, uint32_t index,
                                      struct resident_warp *warp, struct mechanisms on) {
  const enum warp_event event = (enum warp_event)warp->warp.event;
  core->sums.events++;
  if (on.rare && engine->recorder)
    record_event(engine, core, warp);
  if (on.rare && engine->observer)
    observe_begin(engine, core, index);
  warp->warp.under_way = (uint8_t)event;
  uint64_t end;
  if (event == WARP_RUN) {
    end = start_run(engine, core, warp);
    tell_next(core, warp, WARP_RUN);
  } else {
    end = event == WARP_ACCESS ? core_start_access(engine, core, index, &warp->warp, on)
                               : start_barrier(engine, core, index);
    tell_next(core, warp, WARP_ACCESS);
  }
  return end;
}

#endif
