#include "model/retime/retime_core.h"

#include <stdlib.h>

#include "base/array.h"
#include "model/retime/retime_busy_path.h"
#include "model/retime/retime_switch_path.h"
#include "model/retime/retime_warps.h"

enum { MANY_SLEEPERS = 256 }; /* from then on a heap is faster */

bool timing_core_init(struct timing *timing, struct timing_core *core, const struct gpu_spec *spec, uint32_t id,
                      uint32_t group_count) {
  uint32_t warps = timing->slots * timing->warps_per_group, ring = 1;
  while (ring < warps + 1)
    ring *= 2;
  core->id = id;
  if (timing->order->own)
    core->range = timing->order->own(id, timing->core_count, group_count);
  core->free_slots = timing->slots;
  core->stage = TIMING_DISPATCH;
  core->ready_mask = ring - 1;
  core->groups = calloc(timing->slots, sizeof *core->groups);
  core->engines = calloc(timing->execution_engines + 1u, sizeof *core->engines);
  core->ready = calloc(ring, sizeof *core->ready);
  core->ready_event = calloc(ring, sizeof *core->ready_event);
  core->many_sleepers = warps > MANY_SLEEPERS;
  core->sleeper_mask = ring - 1;
  core->sleepers = calloc(ring, sizeof *core->sleepers);
  core->arrivals.entries = calloc(timing->slots, sizeof *core->arrivals.entries);
  return core->groups && core->engines && core->ready && core->ready_event && core->sleepers &&
         core->arrivals.entries && (!timing->queued || timing_lsu_init(&core->lsu, spec, warps));
}

void timing_core_clear(struct timing_core *core) {
  free(core->groups);
  free(core->warps);
  free(core->engines);
  free(core->ready);
  free(core->ready_event);
  free(core->sleepers);
  free(core->arrivals.entries);
  timing_lsu_clear(&core->lsu);
}

/* ---- idle engines ---- */

static enum stack_component idle_reason(const struct timing_core *core) {
  static const enum stack_component order[] = {STACK_dram,    STACK_bandwidth, STACK_l2,  STACK_l1,
                                               STACK_local,   STACK_uniform,   STACK_lsu, STACK_store,
                                               STACK_barrier, STACK_launch};
  for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
    if (core->waiting[order[i]])
      return order[i];
  return STACK_idle;
}

void timing_core_account(const struct timing *timing, struct timing_core *core, uint64_t time) {
  if (time > core->accounted && core->busy < timing->execution_engines)
    core->idle[idle_reason(core)] += (tick_sum)(time - core->accounted) * (timing->execution_engines - core->busy);
  core->accounted = time;
}

/* ---- warps become ready, wait, end ---- */

static void release_barrier(struct timing *timing, struct timing_core *core, struct timing_group *group) {
  const uint32_t first = group->first_age;
  core->waiting[STACK_barrier] -= group->waiting;
  group->waiting = 0;
  for (uint32_t age = first; age < first + timing->warps_per_group; age++)
    if (core->warps[age].at_barrier) {
      core->warps[age].at_barrier = false;
      timing_core_advance(timing, core, age);
    }
}

static void check_barrier(struct timing *timing, struct timing_core *core, struct timing_group *group) {
  if (group->waiting > 0 && group->waiting == group->live)
    release_barrier(timing, core, group);
}

static void end_warp(struct timing *timing, struct timing_core *core, struct timing_group *group) {
  group->live--;
  if (group->live == 0) {
    group->taken = false;
    core->free_slots++;
  }
  check_barrier(timing, core, group);
}

static void arrive_at_barrier(struct timing *timing, struct timing_core *core, uint32_t age) {
  struct timing_group *group = &core->groups[core->warps[age].slot];
  core->warps[age].at_barrier = true;
  core->waiting[STACK_barrier]++;
  group->waiting++;
  check_barrier(timing, core, group);
}

void timing_core_advance(struct timing *timing, struct timing_core *core, uint32_t age) {
  const uint16_t event = timing_event_at(timing, core->warps[age].next);
  if (event == EVENT_END) {
    end_warp(timing, core, &core->groups[core->warps[age].slot]);
    return;
  }
  core->warps[age].next++;
  if (event == EVENT_ARRIVE)
    arrive_at_barrier(timing, core, age);
  else
    timing_push_ready(core, age, event);
}

/* The engine has issued a queued access. */
static void finish_queued(struct timing *timing, struct timing_core *core, uint32_t age) {
  struct timing_warp *warp = &core->warps[age];
  if (warp->back == MOMENT_NO_TICK) {
    warp->unknown = true;
    core->waiting[STACK_lsu]++;
  } else if (warp->back > core->now) {
    timing_sleep_for(core, age, warp->back, warp->waits);
  } else {
    timing_core_advance(timing, core, age);
  }
}

static void finish_event(struct timing *timing, struct timing_core *core, uint32_t age) {
  const uint16_t event = timing_event_at(timing, core->warps[age].next - 1);
  const uint64_t latency = timing->prices->latency[event];
  if (!timing->blocking &&
      (timing->prices->port[event] || ((timing->queued || timing->direct) && timing->prices->lines[event] > 0)))
    finish_queued(timing, core, age);
  else if (latency > 0)
    timing_sleep_for(core, age, core->now + latency, timing->prices->waits[event]);
  else
    timing_core_advance(timing, core, age);
}

static void wake(struct timing *timing, struct timing_core *core) {
  const uint32_t age = moment_age(timing_first_sleeper(core));
  timing_remove_first_sleeper(core);
  core->waiting[core->warps[age].waits]--;
  timing_core_advance(timing, core, age);
}

/* ---- work-groups ---- */

static bool its_turn(const struct timing *timing, const struct timing_core *core) {
  return time_before((struct time_entry){core->now, core->id}, timing->turn);
}

void timing_core_give_group(struct timing *timing, struct timing_core *core, uint32_t group) {
  uint32_t slot = 0;
  while (core->groups[slot].taken)
    slot++;
  core->groups[slot] = (struct timing_group){.group = group, .live = timing->warps_per_group, .taken = true};
  core->free_slots--;
  const uint64_t begin = core->dispatch_free > core->now ? core->dispatch_free : core->now;
  core->dispatch_free = begin + timing->work_group_ticks;
  core->waiting[STACK_launch]++;
  time_heap_push(&core->arrivals, (struct time_entry){core->dispatch_free, slot});
}

static bool room_for_warps(struct timing *timing, struct timing_core *core) {
  const uint32_t need = core->warp_count + timing->warps_per_group;
  if (need > MOMENT_AGE_MASK)
    timing->too_long = true;
  if (need <= core->warp_capacity || timing->too_long)
    return !timing->too_long;
  const bool fits = array_room_u32(&core->warps, &core->warp_capacity, need, sizeof *core->warps);
  timing->no_memory |= !fits;
  return fits;
}

static void start_group(struct timing *timing, struct timing_core *core, uint32_t slot) {
  struct timing_group *group = &core->groups[slot];
  const uint64_t first = (uint64_t)group->group * timing->warps_per_group;
  if (!room_for_warps(timing, core))
    return;
  group->first_age = core->warp_count;
  core->warp_count += timing->warps_per_group;
  for (uint32_t i = 0; i < timing->warps_per_group; i++) {
    core->warps[group->first_age + i] = (struct timing_warp){.next = timing->lists->starts[first + i], .slot = slot};
    timing_core_advance(timing, core, group->first_age + i);
  }
}

static void arrive(struct timing *timing, struct timing_core *core) {
  while (core->arrivals.count > 0 && core->arrivals.entries[0].time == core->now) {
    const uint32_t slot = time_heap_pop(&core->arrivals).id;
    core->waiting[STACK_launch]--;
    start_group(timing, core, slot);
  }
}

/* False: must wait for its turn at the queue. */
static bool dispatch(struct timing *timing, struct timing_core *core) {
  struct dispatch_range *range = timing_core_range(timing, core);
  arrive(timing, core);
  while (core->free_slots > 0 && !dispatch_is_over(range) && !timing->too_long && !timing->no_memory) {
    if (!timing->order->own && !its_turn(timing, core))
      return false;
    timing_core_give_group(timing, core, dispatch_take(range));
    arrive(timing, core);
  }
  return true;
}

/* ---- execution engines ---- */

/* The engine that waits for the access of warp `age` will be free at `end`. */
static void release_engine(struct timing_core *core, uint32_t age, uint64_t end) {
  uint32_t i = 0;
  while (core->engines[i] != moment(MOMENT_NO_TICK, age))
    i++;
  core->busy--;
  for (; i < core->busy; i++)
    core->engines[i] = core->engines[i + 1];
  timing_occupy(core, moment(end, age));
}

static void tell_warp(struct timing_core *core, uint32_t age, uint64_t back, enum stack_component waits) {
  struct timing_warp *warp = &core->warps[age];
  warp->back = back;
  warp->waits = (uint8_t)waits;
  if (!warp->unknown)
    return;
  warp->unknown = false;
  core->waiting[STACK_lsu]--;
  timing_sleep_for(core, age, back, (uint8_t)waits);
}

/* The head has been served; it was `bandwidth` ticks in queues at L2. */
static void resolve(struct timing *timing, struct timing_core *core, const struct queued_access *head,
                    uint64_t bandwidth) {
  const struct timing_prices *prices = timing->prices;
  const uint64_t lsu = head->arrives - head->issued, memory = prices->memory[head->event];
  const uint64_t issue = timing->blocking ? 0 : prices->busy[head->event];
  const uint64_t back = head->issued + issue + lsu + bandwidth + memory;
  timing->too_long |= back > MOMENT_MOST_TICK;
  if (timing->too_long)
    return;
  if (timing->blocking) {
    core->idle[STACK_lsu] += lsu;
    core->idle[STACK_bandwidth] += bandwidth;
    release_engine(core, head->age, back);
    return;
  }
  enum stack_component waits = (enum stack_component)prices->waits[head->event];
  if (bandwidth > lsu && bandwidth > memory)
    waits = STACK_bandwidth;
  else if (lsu > memory)
    waits = STACK_lsu;
  tell_warp(core, head->age, back, waits);
}

/* What has arrived at L2 is served. False: must wait for its turn there. */
static bool serve(struct timing *timing, struct timing_core *core) {
  const struct timing_prices *prices = timing->prices;
  const struct queued_access *head;
  while ((head = timing_lsu_head(&core->lsu, prices->lines, prices->to_l2)) && !timing->too_long) {
    const uint32_t to_l2 = prices->to_l2[head->event];
    uint64_t wait = 0;
    if (to_l2 > 0 && head->arrives > core->now)
      return true;
    if (to_l2 > 0) {
      if (!its_turn(timing, core))
        return false;
      wait = timing_slices_serve(&timing->l2, to_l2, prices->to_dram[head->event], head->arrives);
    }
    resolve(timing, core, head, wait);
    timing_lsu_pop(&core->lsu);
  }
  return true;
}

/* Without queues on the way an access is served when it is issued. Returns how long it waits for that. */
static uint64_t serve_now(struct timing *timing, struct timing_core *core, uint32_t age, uint16_t event) {
  const struct timing_prices *prices = timing->prices;
  const uint64_t wait = timing->shared[event] == 0
                            ? 0
                            : timing_slices_serve(&timing->l2, prices->to_l2[event], prices->to_dram[event], core->now);
  timing->too_long |= wait > MOMENT_MOST_TICK / 2;
  if (timing->blocking) {
    core->idle[STACK_bandwidth] += wait;
    return wait;
  }
  core->warps[age].back = core->now + prices->busy[event] + wait + prices->memory[event];
  core->warps[age].waits = wait > prices->memory[event] ? (uint8_t)STACK_bandwidth : prices->waits[event];
  return 0;
}

/* Returns for how much longer than usual it takes the engine. */
static uint64_t begin_at_port(struct timing *timing, struct timing_core *core, uint32_t age, uint16_t event) {
  if (!timing->blocking) {
    core->warps[age].back = timing_back_from_port(timing, core, event);
    core->warps[age].waits = timing->prices->waits[event];
    return 0;
  }
  const uint64_t wait = timing_take_port(core, timing->prices, event);
  timing->too_long |= wait > MOMENT_MOST_TICK / 2;
  core->idle[timing->prices->waits[event]] += wait;
  return wait;
}

/* False: must wait for its turn at L2. */
static bool begin(struct timing *timing, struct timing_core *core) {
  const uint32_t head = core->ready_head & core->ready_mask, age = moment_age(core->ready[head]);
  const uint16_t event = core->ready_event[head];
  const bool is_access = timing->prices->lines[event] > 0;
  uint64_t end = core->now + timing->prices->busy[event];
  if (timing->direct && timing->shared[event] > 0 && !its_turn(timing, core))
    return false;
  core->ready_head++;
  core->ready_count--;
  if (timing->prices->port[event])
    end += begin_at_port(timing, core, age, event);
  if (timing->direct && is_access)
    end += serve_now(timing, core, age, event);
  timing->too_long |= end > MOMENT_MOST_TICK;
  if (timing->too_long)
    return true;
  if (timing->queued && is_access) {
    core->warps[age].back = MOMENT_NO_TICK;
    timing_lsu_push(&core->lsu, age, event, core->now);
    end = timing->blocking ? MOMENT_NO_TICK : end;
  }
  timing_occupy(core, moment(end, age));
  return true;
}

/* False: must wait for its turn at L2. */
static bool assign(struct timing *timing, struct timing_core *core) {
  if (timing->queued && !serve(timing, core))
    return false;
  while (core->ready_count > 0 && core->busy < timing->execution_engines && !timing->too_long) {
    if (!begin(timing, core))
      return false;
    if (timing->queued && !serve(timing, core))
      return false;
  }
  return true;
}

/* ---- time ---- */

static uint64_t earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* MOMENT_NO_TICK: nothing will come. */
static uint64_t next_time(struct timing *timing, struct timing_core *core) {
  uint64_t next = MOMENT_NO_TICK;
  if (core->busy > 0)
    next = earlier(next, moment_time(core->engines[0]));
  if (core->sleeper_count > 0)
    next = earlier(next, moment_time(timing_first_sleeper(core)));
  if (core->arrivals.count > 0)
    next = earlier(next, core->arrivals.entries[0].time);
  if (core->lsu.count > 0)
    next = earlier(next, timing_lsu_head(&core->lsu, timing->prices->lines, timing->prices->to_l2)->arrives);
  return next;
}

static void complete(struct timing *timing, struct timing_core *core) {
  uint32_t ended = 0;
  uint64_t ends[64]; /* of execution engines there are 64 at most (gpu_rows.def) */
  while (ended < core->busy && moment_time(core->engines[ended]) == core->now) {
    ends[ended] = core->engines[ended];
    ended++;
  }
  core->busy -= ended;
  for (uint32_t i = 0; i < core->busy; i++)
    core->engines[i] = core->engines[i + ended];
  for (uint32_t i = 0; i < ended; i++)
    finish_event(timing, core, moment_age(ends[i]));
  while (core->sleeper_count > 0 && moment_time(timing_first_sleeper(core)) == core->now)
    wake(timing, core);
}

/* False: nothing will come. */
static bool go_to_next(struct timing *timing, struct timing_core *core) {
  if (timing->switches && timing_switch(timing, core))
    return true;
  timing_stretch(timing, core);
  const uint64_t next = next_time(timing, core);
  if (next == MOMENT_NO_TICK)
    return false;
  timing_core_account(timing, core, next);
  core->now = next;
  complete(timing, core);
  return true;
}

void timing_core_run(struct timing *timing, struct timing_core *core) {
  while (!timing->too_long && !timing->no_memory) {
    if (core->stage == TIMING_COMPLETE)
      core->stage = go_to_next(timing, core) ? TIMING_SERVE : TIMING_FINISHED;
    if (core->stage == TIMING_FINISHED)
      return;
    if (core->stage == TIMING_SERVE && timing->queued && !serve(timing, core))
      return;
    if (core->stage == TIMING_SERVE)
      core->stage = TIMING_DISPATCH;
    if (core->stage == TIMING_DISPATCH && !dispatch(timing, core))
      return;
    core->stage = TIMING_ASSIGN;
    if (!assign(timing, core))
      return;
    core->stage = TIMING_COMPLETE;
  }
}
