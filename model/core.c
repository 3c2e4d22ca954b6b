#include "model/core.h"

#include <assert.h>

/* ---- where idle execution engines' time goes ---- */

/* What the core's warps wait for, the slowest first; nothing: too few warps, or none. */
static enum stack_component idle_reason(const struct core *core) {
  static const enum stack_component order[] = {STACK_dram,    STACK_bandwidth, STACK_l2,  STACK_l1,
                                               STACK_local,   STACK_uniform,   STACK_lsu, STACK_store,
                                               STACK_barrier, STACK_launch};
  for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
    if (core->waiting[order[i]])
      return order[i];
  return STACK_idle;
}

void core_account(struct engine *engine, struct core *core, uint64_t time) {
  if (time > core->accounted && core->busy < engine->execution_engines)
    core->stack[idle_reason(core)] += (time - core->accounted) * (engine->execution_engines - core->busy);
  core->accounted = time;
}

/* ---- warps become ready, wait, end ---- */

static void advance(struct engine *engine, struct core *core, uint32_t index);

static void release_barrier(struct engine *engine, struct core *core, uint32_t slot) {
  uint32_t first = slot * engine->warps_per_group;
  core->waiting[STACK_barrier] -= core->groups[slot].waiting;
  core->groups[slot].waiting = 0;
  for (uint32_t i = first; i < first + engine->warps_per_group; i++)
    if (core->warps[i].at_barrier) {
      core->warps[i].at_barrier = false;
      advance(engine, core, i);
    }
}

/* Warps that have ended no longer hold up a barrier, so none waits forever. */
static void check_barrier(struct engine *engine, struct core *core, uint32_t slot) {
  struct resident_group *group = &core->groups[slot];
  if (group->waiting > 0 && group->waiting == group->live)
    release_barrier(engine, core, slot);
}

static void end_warp(struct engine *engine, struct core *core, uint32_t slot) {
  struct resident_group *group = &core->groups[slot];
  group->live--;
  if (group->live == 0) {
    group->taken = false;
    core->free_slots++;
  }
  check_barrier(engine, core, slot);
}

static void wait_for_unknown(struct core *core, struct resident_warp *warp) {
  warp->unknown = true;
  core->waiting[STACK_lsu]++;
}

/* dependency: true when the warp must wait for accesses of its own before it goes on with its event. Uses of values
 * that are there take no time. */
static bool waits_for_flights(struct engine *engine, struct core *core, uint32_t index) {
  struct resident_warp *warp = &core->warps[index];
  struct flight wait;
  for (;;) {
    if (flight_wait(&warp->flights, (enum warp_event)warp->event, warp->warp.op, core->now, &wait)) {
      if (wait.done == CORE_UNKNOWN)
        wait_for_unknown(core, warp);
      else
        core_sleep_until(core, index, wait.done, wait.waits);
      return true;
    }
    if (warp->event != WARP_USE)
      return false;
    warp->event = (uint8_t)warp_next(&warp->warp, engine->context);
  }
}

/* The warp goes on with its event: joins the ready ones or ends. */
static void go_on(struct engine *engine, struct core *core, uint32_t index) {
  struct resident_warp *warp = &core->warps[index];
  if (core->flights && waits_for_flights(engine, core, index))
    return;
  if (warp->event == WARP_DONE)
    end_warp(engine, core, warp->slot);
  else
    core_push_ready(core, index);
}

static void advance(struct engine *engine, struct core *core, uint32_t index) {
  struct resident_warp *warp = &core->warps[index];
  warp->event = (uint8_t)warp_next(&warp->warp, engine->context);
  go_on(engine, core, index);
}

static void finish_event(struct engine *engine, struct core *core, uint32_t index) {
  struct resident_warp *warp = &core->warps[index];
  if (warp->event == WARP_BARRIER) {
    warp->at_barrier = true;
    core->groups[warp->slot].waiting++;
    core->waiting[STACK_barrier]++;
    check_barrier(engine, core, warp->slot);
  } else if (warp->event == WARP_ACCESS && warp->latency == CORE_UNKNOWN) {
    wait_for_unknown(core, warp);
  } else if (warp->event == WARP_ACCESS && warp->latency > 0) {
    core_sleep_until(core, index, core->now + warp->latency, warp->waits);
  } else {
    advance(engine, core, index);
  }
}

/* ---- work-groups ---- */

void core_give_group(struct engine *engine, struct core *core, uint32_t group) {
  uint32_t slot = 0;
  while (core->groups[slot].taken)
    slot++;
  core->groups[slot] = (struct resident_group){group, engine->warps_per_group, 0, true};
  core->free_slots--;
  uint64_t begin = core->dispatch_free > core->now ? core->dispatch_free : core->now;
  core->dispatch_free = begin + engine->work_group_ticks;
  core->waiting[STACK_launch]++;
  time_heap_push(&core->arrivals, (struct time_entry){core->dispatch_free, slot});
}

static void start_warp(struct engine *engine, struct core *core, uint32_t slot, uint32_t number) {
  uint32_t index = slot * engine->warps_per_group + number;
  uint64_t place = (uint64_t)core->id * engine->slots + slot;
  uint64_t global_index = (uint64_t)core->id * engine->slots * engine->warps_per_group + index;
  uint64_t items = trace_local_size(&engine->trace->header);
  uint64_t locals = (UINT64_C(1) << 32) + (uint64_t)engine->core_count * engine->slots * engine->local_stride;
  struct resident_warp *warp = &core->warps[index];
  warp->age = core->next_age++;
  warp->slot = slot;
  warp->warp.local_base = (UINT64_C(1) << 32) + place * engine->local_stride;
  warp->warp.private_stride = engine->private_stride;
  warp->warp.counters = engine->counters + global_index * engine->context->depth;
  warp_place(&warp->warp, &engine->trace->header, engine->spec, number);
  warp->warp.private_base = locals + (place * items + warp->warp.first_item) * engine->private_stride;
  warp_start(&warp->warp, engine->context, &engine->trace->groups[core->groups[slot].group],
             engine->divergent ? engine->divergent + global_index * engine->divergent_bytes : NULL);
  if (engine->recorder)
    event_recorder_start(engine->recorder, global_index,
                         (uint64_t)core->groups[slot].group * engine->warps_per_group + number);
  advance(engine, core, index);
}

static void arrive(struct engine *engine, struct core *core) {
  while (core->arrivals.count > 0 && core->arrivals.entries[0].time == core->now) {
    uint32_t slot = time_heap_pop(&core->arrivals).id;
    core->waiting[STACK_launch]--;
    for (uint32_t i = 0; i < engine->warps_per_group; i++)
      start_warp(engine, core, slot, i);
  }
}

/* False: must wait for its turn at the queue. */
static bool dispatch(struct engine *engine, struct core *core) {
  arrive(engine, core);
  struct dispatch_range *range = core_range(engine, core);
  while (core->free_slots > 0 && range->next < range->end) {
    if (!engine->order->own && !core_its_turn(engine, core))
      return false;
    core_give_group(engine, core, dispatch_take(range));
    arrive(engine, core);
  }
  return true;
}

/* ---- events on execution engines ---- */

static void start_run(struct engine *engine, struct core *core, const struct warp *warp) {
  uint64_t ticks = core_slots_ticks(engine, warp->slots);
  uint64_t useful = ticks;
  if (warp->divergent)
    useful = (uint64_t)((tick_sum)ticks * warp->item_slots / ((tick_sum)warp->slots * warp->count));
  if (__builtin_add_overflow(engine->result->run_slots, warp->slots, &engine->result->run_slots))
    engine->result->run_slots = UINT64_MAX;
  core->stack[STACK_issue] += useful;
  core->stack[STACK_divergence] += ticks - useful;
  core_occupy_until(engine, core, core->now + ticks);
}

static void start_barrier(struct engine *engine, struct core *core, const struct warp *warp) {
  core_charge(engine, core, warp->op, STACK_barrier, engine->barrier_ticks);
  core_occupy_until(engine, core, core->now + engine->barrier_ticks);
}

static struct ready_warp ready_at(const struct core *core, uint32_t number) {
  uint32_t index = core->ready[(core->ready_head + number) & core->ready_mask];
  return (struct ready_warp){core->warps[index].age, index};
}

/* Brings the warp that the scheduler prefers to the front; the others keep their order. */
static void bring_to_front(struct engine *engine, struct core *core) {
  uint32_t best = 0;
  struct ready_warp first = ready_at(core, 0);
  for (uint32_t i = 1; i < core->ready_count; i++) {
    struct ready_warp other = ready_at(core, i);
    if (engine->scheduler->rather(&other, &first, &core->last)) {
      first = other;
      best = i;
    }
  }
  for (uint32_t i = best; i > 0; i--)
    core->ready[(core->ready_head + i) & core->ready_mask] = core->ready[(core->ready_head + i - 1) & core->ready_mask];
  core->ready[core->ready_head & core->ready_mask] = first.index;
  core->last = first;
}

/* Accesses are recorded when their outcome is known. */
static void record_event(struct engine *engine, const struct core *core, const struct resident_warp *warp) {
  const uint64_t resident = core_resident(engine, core, warp);
  if (warp->event == WARP_RUN)
    event_recorder_run(engine->recorder, resident, warp->warp.slots, warp->warp.item_slots,
                       warp->warp.divergent ? warp->warp.count : 0);
  else if (warp->event == WARP_BARRIER)
    event_recorder_barrier(engine->recorder, resident);
}

static bool assign(struct engine *engine, struct core *core) {
  if (core->lsu.count > 0 && !core_serve(engine, core))
    return false;
  const bool in_order = !engine->scheduler->rather;
  while (core->ready_count > 0 && core->busy < engine->execution_engines) {
    if (!in_order && !core->access_begun) /* else it was brought there before */
      bring_to_front(engine, core);
    struct resident_warp *warp = &core->warps[core->ready[core->ready_head & core->ready_mask]];
    if (engine->recorder)
      record_event(engine, core, warp);
    if (warp->event == WARP_RUN)
      start_run(engine, core, &warp->warp);
    else if (warp->event == WARP_BARRIER)
      start_barrier(engine, core, &warp->warp);
    else if (!core_start_access(engine, core, warp))
      return false;
  }
  return true;
}

/* ---- time ---- */

static uint64_t next_time(struct core *core) {
  uint64_t next = UINT64_MAX;
  for (uint32_t i = 0; i < core->busy; i++)
    if (core->engines[i].end < next)
      next = core->engines[i].end;
  if (core->sleepers.count > 0 && core->sleepers.entries[0].time < next)
    next = core->sleepers.entries[0].time;
  if (core->arrivals.count > 0 && core->arrivals.entries[0].time < next)
    next = core->arrivals.entries[0].time;
  if (core->places.ends.count > 0 && core->places.ends.entries[0].time < next)
    next = core->places.ends.entries[0].time;
  if (core->lsu.count > 0 && lsu_head(&core->lsu)->arrives < next)
    next = lsu_head(&core->lsu)->arrives;
  return next;
}

static void complete(struct engine *engine, struct core *core) {
  for (uint32_t i = 0; i < core->busy;) {
    if (core->engines[i].end == core->now) {
      uint32_t index = core->engines[i].warp;
      core->engines[i] = core->engines[--core->busy];
      finish_event(engine, core, index);
    } else {
      i++;
    }
  }
  while (core->sleepers.count > 0 && core->sleepers.entries[0].time == core->now) {
    uint32_t index = time_heap_pop(&core->sleepers).id;
    core->waiting[core->warps[index].waits]--;
    if (core->flights)
      go_on(engine, core, index);
    else
      advance(engine, core, index);
  }
  if (core->places.ends.count > 0)
    core_free_places(core);
}

void core_run(struct engine *engine, struct core *core) {
  while (!engine->too_long) {
    if (core->stage == CORE_COMPLETE) {
      uint64_t next = next_time(core);
      if (next == UINT64_MAX) {
        core->stage = CORE_FINISHED;
        return;
      }
      core_account(engine, core, next);
      core->now = next;
      complete(engine, core);
      core->stage = CORE_SERVE;
    }
    if (core->stage == CORE_SERVE && core->lsu.count > 0 && !core_serve(engine, core))
      return;
    if (core->stage == CORE_SERVE)
      core->stage = CORE_DISPATCH;
    if (core->stage == CORE_DISPATCH && !dispatch(engine, core))
      return;
    core->stage = CORE_ASSIGN;
    if (!assign(engine, core))
      return;
    core->stage = CORE_COMPLETE;
  }
}
