/* The replay loop of a core. It is written once, for all mechanisms and for both sources of events, and compiled once
 * for each combination that it tests (struct mechanisms, constant in each instance), so that a mechanism that is off
 * costs nothing. core.c has the instances for warps that walk through the trace, recorded_core.c those for recorded
 * launches. */
#ifndef MODEL_CORE_LOOP_H
#define MODEL_CORE_LOOP_H

#include "model/replay/recorded/recorded_busy_path.h"
#include "model/warp/interleaved_memory.h"

/* ---- work-groups ---- */

static inline void start_warp(struct gpu_replay *replay, struct core *core, uint32_t group_place, uint32_t number,
                              struct mechanisms on) {
  uint32_t index = group_place * replay->warps_per_group + number;
  uint64_t place = (uint64_t)core->id * replay->group_places + group_place;
  uint64_t global_index = (uint64_t)core->id * replay->group_places * replay->warps_per_group + index;
  uint64_t items = trace_local_size(&replay->trace->header);
  uint64_t locals = (UINT64_C(1) << 32) + (uint64_t)replay->core_count * replay->group_places * replay->local_stride;
  struct resident_warp *warp = &core->warps[index];
  warp->warp.rank = core->next_age++ << replay->index_bits | index;
  warp->group_place = group_place;
  warp->warp.local_base = (UINT64_C(1) << 32) + place * replay->local_stride;
  warp->warp.private_stride = replay->private_stride;
  warp->warp.counters = replay->counters + global_index * core->context->depth;
  warp->warp.uses = core->uses ? core->uses + index : NULL;
  warp_place(&warp->warp, &replay->trace->header, replay->spec, number);
  if (replay->spec->private_interleaved && replay->private_stride > 0)
    warp->warp.word_stride_bytes = INTERLEAVED_WORD * (uint32_t)warp->warp.count;
  warp->warp.private_base = locals + (place * items + warp->warp.first_item) * replay->private_stride;
  warp_start(&warp->warp, core->context, &replay->trace->groups[core->groups[group_place].group],
             replay->divergent ? replay->divergent + global_index * replay->divergent_bytes : NULL);
  if (warp->warp.at)
    core_add_slots(core, core->context->programs[warp->warp.path_index].slots);
  if (replay->fetch.on)
    instruction_fetch_start(&replay->fetch, global_index, &warp->warp);
  if (on.rare)
    REPLAY_ANNOUNCE(replay, warp_start, core->id, index,
                    (uint64_t)core->groups[group_place].group * replay->warps_per_group + number);
  warp->warp.event = (uint8_t)warp_next(&warp->warp, core->context);
  core_go_on_rarely(replay, core, index, on);
}

static inline void start_recorded_warp(struct gpu_replay *replay, struct core *core, uint32_t group_place,
                                       uint32_t number, struct mechanisms on) {
  const uint32_t index = group_place * replay->warps_per_group + number;
  const uint64_t group = core->groups[group_place].group;
  struct resident_warp *warp = &core->warps[index];
  warp->warp.rank = core->next_age++ << replay->index_bits | index;
  warp->group_place = group_place;
  core->recorded[recorded_age(replay, core, index)] =
      (struct recorded_warp){replay->recorded->lists->starts[group * replay->warps_per_group + number], index};
  core_go_on_rarely(replay, core, index, on);
}

static inline void arrive(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->arrivals.count > 0 && core->arrivals.entries[0].time == core->now) {
    uint32_t group_place = time_heap_pop(&core->arrivals).id;
    core->waiting[STACK_launch]--;
    if (on.rare)
      REPLAY_ANNOUNCE(replay, group, core->id, group_place, core->groups[group_place].group, true, core->now);
    if (on.recorded && !recorded_make_room(replay, core))
      return;
    for (uint32_t i = 0; i < replay->warps_per_group; i++)
      if (on.recorded)
        start_recorded_warp(replay, core, group_place, i, on);
      else
        start_warp(replay, core, group_place, i, on);
  }
}

static inline bool comes_first(const struct gpu_replay *replay, const struct core *core, uint64_t time) {
  return time_before((struct time_entry){time, core->id}, replay->next_core);
}

/* Takes work-groups that fit on the core. Returns false if another core may have to take one from the common queue
 * first. */
CORE_INLINE bool dispatch(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  if (core->arrivals.count > 0)
    arrive(replay, core, on);
  if (core->free_places == 0)
    return true;
  struct dispatch_range *range = core_range(replay, core);
  while (core->free_places > 0 && !dispatch_is_over(range)) {
    if (!replay->order->own && !comes_first(replay, core, core->now))
      return false;
    core_give_group(replay, core, dispatch_take(range));
    arrive(replay, core, on);
  }
  return true;
}

/* ---- events on execution engines ---- */

static inline struct warp_view ready_at(const struct gpu_replay *replay, const struct core *core, uint32_t number) {
  const uint64_t rank = core->ready[(core->ready_head + number) & core->ready_mask].rank;
  const struct resident_warp *warp = &core->warps[core_place_of(core, rank)];
  return (struct warp_view){rank >> replay->index_bits, core_place_of(core, rank), warp->group_place, warp->warp.event};
}

/* Moves the ready warp that the scheduler prefers to the front; the others keep their order. */
static inline void bring_to_front(struct gpu_replay *replay, struct core *core) {
  uint32_t best = 0;
  struct warp_view first = ready_at(replay, core, 0);
  for (uint32_t i = 1; i < core->ready_count; i++) {
    struct warp_view other = ready_at(replay, core, i);
    if (replay->scheduler->prefers(&other, &first, &core->last)) {
      first = other;
      best = i;
    }
  }
  struct ready_entry entry = core->ready[(core->ready_head + best) & core->ready_mask];
  for (uint32_t i = best; i > 0; i--)
    core->ready[(core->ready_head + i) & core->ready_mask] = core->ready[(core->ready_head + i - 1) & core->ready_mask];
  core->ready[core->ready_head & core->ready_mask] = entry;
  core->last = first;
}

/* Returns whether an access that the core may begin now may come before one of another core to a cache of both. */
static inline bool may_be_too_early(const struct gpu_replay *replay, const struct core *core, struct mechanisms on) {
  return on.rare && replay->shared_caches && core->ready_count > 0 && core->busy < replay->execution_engines &&
         !comes_first(replay, core, core->now);
}

CORE_INLINE void assign(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  if (on.recorded) {
    recorded_assign(replay, core, on);
    return;
  }
  while (core->ready_count > 0 && core->busy < replay->execution_engines) {
    if (on.rare && replay->scheduler->prefers)
      bring_to_front(replay, core);
    const uint32_t index = core_take_ready(core);
    if (!on.blocking && core->limit.limit > 0 && core->warps[index].warp.event == WARP_ACCESS &&
        !admit_access(core, index))
      continue;
    core_occupy(core, index, core_begin_event(replay, core, index, &core->warps[index], on));
  }
}

/* ---- time ---- */

/* Returns the time at which an engine becomes free or a work-group arrives. */
CORE_INLINE uint64_t next_end(const struct core *core) {
  const uint64_t next = core->engines[(int64_t)core->busy - 1].end;
  return core->arrivals.count > 0 ? core_sooner(next, core->arrivals.entries[0].time) : next;
}

/* Returns the time at which a warp that waits without an engine continues, or an answer may be used. */
CORE_INLINE uint64_t next_wake(struct core *core, struct mechanisms on) {
  uint64_t next = on.blocking ? UINT64_MAX : core_sooner(core->sleepers.first, core->limit.ends.first);
  if (on.queued && core->lsu.served > 0)
    next = core_sooner(next, lsu_oldest_served(&core->lsu)->known);
  return next;
}

CORE_INLINE void wake(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (!on.blocking && core->sleepers.first == core->now) {
    uint32_t index = time_queue_pop(&core->sleepers).id;
    core->waiting[core->warps[index].waits]--;
    core_go_on(replay, core, index, on);
  }
  if (!on.blocking)
    core_end_accesses(core);
  if (on.queued)
    core_collect(replay, core, on);
}

/* Handles the warps that wake before `next` while all engines are busy: each joins the ready ones at its time. Returns
 * the time to continue from: `next`, or the end of a work-group, which makes room for another one. */
CORE_INLINE uint64_t wake_before(struct gpu_replay *replay, struct core *core, uint64_t next, struct mechanisms on) {
  const uint32_t free_places = core->free_places;
  uint64_t time;
  while ((time = next_wake(core, on)) < next) {
    core->now = time;
    wake(replay, core, on);
    if (core->free_places > free_places)
      return time;
  }
  return next;
}

CORE_INLINE void complete(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->engines[(int64_t)core->busy - 1].end == core->now) {
    const uint32_t index = core->engines[--core->busy].warp;
    if (on.rare)
      REPLAY_ANNOUNCE(replay, event_end, core->id, index, core->now);
    core_finish_event(replay, core, index, on);
  }
  wake(replay, core, on);
}

/* Returns whether the core stops before `next`: at its horizon, or because the component that idle engines wait for is
 * not known yet. */
CORE_INLINE bool needs_answer(const struct gpu_replay *replay, const struct core *core, uint64_t next,
                              struct mechanisms on) {
  return next >= core->horizon || (!on.queued && !on.blocking && core->unknown_waits > 0 &&
                                   core->busy < replay->execution_engines && next > core->accounted);
}

/* Stops the core before `next`. UINT64_MAX means that no event follows unless an answer comes. */
CORE_INLINE void stop(struct gpu_replay *replay, struct core *core, uint64_t next, struct mechanisms on) {
  core->position = core_sooner(next, core->horizon);
  if (next == UINT64_MAX && core_first_answer(core, on) == UINT64_MAX)
    core->stage = CORE_FINISHED;
  else if (core->position > replay->most_ticks)
    replay->too_long = true;
}

CORE_INLINE void run_busy_path(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  if (on.recorded)
    recorded_busy_path_run(replay, core, on);
  else
    busy_path_run(replay, core, on);
}

CORE_INLINE void run(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  core->pushed = 0;
  core_collect(replay, core, on);
  core_look_ahead(replay, core, on);
  for (;;) {
    if (core->stage == CORE_COMPLETE) {
      if (on.queued)
        core_collect(replay, core, on);
      const bool all_busy = core->busy == replay->execution_engines;
      if (on.blocking && !on.rare && replay->busy_path && all_busy && (!on.queued || core->lsu.served == 0) &&
          next_end(core) > core->now)
        run_busy_path(replay, core, on);
      uint64_t next = next_end(core);
      if (on.blocking || !all_busy)
        next = core_sooner(next, next_wake(core, on));
      if (needs_answer(replay, core, next, on)) {
        stop(replay, core, next, on);
        return;
      }
      if (!all_busy)
        core_account(replay, core, next);
      else if (!on.blocking)
        next = wake_before(replay, core, next, on);
      core->accounted = core->now = next;
      complete(replay, core, on);
    }
    if ((core->arrivals.count + core->free_places > 0 && !dispatch(replay, core, on)) ||
        may_be_too_early(replay, core, on)) {
      core->position = core->now;
      core->stage = CORE_DISPATCH;
      return;
    }
    core->stage = CORE_COMPLETE;
    assign(replay, core, on);
  }
}

/* Defines an instance of the loop. */
#define LOOP(name, ...)                                                                                                \
  static void name(struct gpu_replay *replay, struct core *core) {                                                     \
    run(replay, core, (struct mechanisms){__VA_ARGS__});                                                               \
  }

#endif
