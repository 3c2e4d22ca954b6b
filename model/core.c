/* The replay loop of a core. It is written once, for any mechanisms, and compiled once for each combination that it
 * asks about (struct mechanisms): a mechanism that is off costs nothing there. */
#include "model/core_access.h"

/* ---- where idle execution engines' time goes ---- */

/* What the core's warps wait for, the slowest first; nothing: too few warps, or none. */
static enum stack_component idle_reason(const struct core *core) {
  static const enum stack_component order[] = {STACK_dram,  STACK_bandwidth, STACK_atomic,  STACK_l2,
                                               STACK_l1,    STACK_local,     STACK_uniform, STACK_lsu,
                                               STACK_store, STACK_barrier,   STACK_launch};
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

static void start_warp(struct engine *engine, struct core *core, uint32_t slot, uint32_t number, struct mechanisms on) {
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
  warp->warp.counters = engine->counters + global_index * core->context->depth;
  warp_place(&warp->warp, &engine->trace->header, engine->spec, number);
  warp->warp.private_base = locals + (place * items + warp->warp.first_item) * engine->private_stride;
  warp_start(&warp->warp, core->context, &engine->trace->groups[core->groups[slot].group],
             engine->divergent ? engine->divergent + global_index * engine->divergent_bytes : NULL);
  if (engine->fetch.on)
    instruction_fetch_start(&engine->fetch, global_index, &warp->warp);
  if (engine->recorder)
    event_recorder_start(engine->recorder, global_index,
                         (uint64_t)core->groups[slot].group * engine->warps_per_group + number);
  core_advance(engine, core, index, on);
}

static void arrive(struct engine *engine, struct core *core, struct mechanisms on) {
  while (core->arrivals.count > 0 && core->arrivals.entries[0].time == core->now) {
    uint32_t slot = time_heap_pop(&core->arrivals).id;
    core->waiting[STACK_launch]--;
    if (engine->observer)
      observer_group(engine->observer, core->id, slot, core->groups[slot].group, true, core->now);
    for (uint32_t i = 0; i < engine->warps_per_group; i++)
      start_warp(engine, core, slot, i, on);
  }
}

static bool its_turn(const struct engine *engine, const struct core *core, uint64_t time) {
  return time_before((struct time_entry){time, core->id}, engine->turn);
}

/* False: must wait for its turn at the queue. */
CORE_INLINE bool dispatch(struct engine *engine, struct core *core, struct mechanisms on) {
  if (core->arrivals.count > 0)
    arrive(engine, core, on);
  if (core->free_slots == 0)
    return true;
  struct dispatch_range *range = core_range(engine, core);
  while (core->free_slots > 0 && !dispatch_is_over(range)) {
    if (!engine->order->own && !its_turn(engine, core, core->now))
      return false;
    core_give_group(engine, core, dispatch_take(range));
    arrive(engine, core, on);
  }
  return true;
}

/* ---- events on execution engines ---- */

/* Ticks that the engine waits for the run's instructions. */
static uint64_t fetch_code(struct engine *engine, struct core *core, const struct resident_warp *warp) {
  uint64_t misses = instruction_fetch_run(&engine->fetch, core_resident(engine, core, warp), core->id);
  uint64_t ticks = instruction_fetch_ticks(&engine->fetch, misses);
  core->sums.instruction_misses += misses;
  core->stack[STACK_fetch] += ticks;
  return ticks;
}

CORE_INLINE void start_run(struct engine *engine, struct core *core, uint32_t index, struct mechanisms on) {
  const struct warp *warp = &core->warps[index].warp;
  uint64_t ticks = core_slots_ticks(engine, warp->slots);
  uint64_t useful = ticks;
  if (!warp->instrs) {
    useful = (uint64_t)((tick_sum)ticks * warp->item_slots / ((tick_sum)warp->slots * warp->count));
    core->stack[STACK_divergence] += ticks - useful;
  }
  if (__builtin_add_overflow(core->sums.run_slots, warp->slots, &core->sums.run_slots))
    core->sums.run_slots = UINT64_MAX;
  core->stack[STACK_issue] += useful;
  if (on.rare && engine->fetch.on)
    ticks += fetch_code(engine, core, &core->warps[index]);
  core_occupy(core, index, core->now + ticks);
}

static void start_barrier(struct engine *engine, struct core *core, uint32_t index) {
  core_charge(core, core->warps[index].warp.op, STACK_barrier, engine->barrier_ticks);
  core_occupy(core, index, core->now + engine->barrier_ticks);
}

static struct ready_warp ready_at(const struct core *core, uint32_t number) {
  uint32_t index = core->ready[(core->ready_head + number) & core->ready_mask].warp;
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
  struct ready_entry entry = core->ready[(core->ready_head + best) & core->ready_mask];
  for (uint32_t i = best; i > 0; i--)
    core->ready[(core->ready_head + i) & core->ready_mask] = core->ready[(core->ready_head + i - 1) & core->ready_mask];
  core->ready[core->ready_head & core->ready_mask] = entry;
  core->last = first;
}

/* Accesses are recorded when their outcome is known. */
static void record_event(struct engine *engine, const struct core *core, const struct resident_warp *warp) {
  const uint64_t resident = core_resident(engine, core, warp);
  if (warp->warp.event == WARP_RUN)
    event_recorder_run(engine->recorder, resident, warp->warp.slots, warp->warp.item_slots,
                       warp->warp.instrs ? 0 : warp->warp.count);
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

CORE_INLINE void assign(struct engine *engine, struct core *core, struct mechanisms on) {
  while (core->ready_count > 0 && core->busy < engine->execution_engines) {
    if (on.rare && engine->scheduler->rather)
      bring_to_front(engine, core);
    const uint32_t index = core_take_ready(core);
    core->sums.events++;
    const struct resident_warp *warp = &core->warps[index];
    if (on.rare && engine->recorder)
      record_event(engine, core, warp);
    const uint32_t busy = core->busy;
    if (warp->warp.event == WARP_RUN)
      start_run(engine, core, index, on);
    else if (warp->warp.event == WARP_BARRIER)
      start_barrier(engine, core, index);
    else
      core_start_access(engine, core, index, on);
    if (on.rare && engine->observer && core->busy > busy) /* else it waits for a place */
      observe_begin(engine, core, index);
  }
}

/* ---- time ---- */

static inline uint64_t sooner(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

CORE_INLINE uint64_t next_time(struct core *core, struct mechanisms on) {
  uint64_t next = core->busy > 0 ? core->engine_ends[core->busy - 1] : UINT64_MAX;
  if (!on.blocking && core->sleepers.count > 0)
    next = sooner(next, core->sleepers.entries[0].time);
  if (core->arrivals.count > 0)
    next = sooner(next, core->arrivals.entries[0].time);
  if (on.rare && core->places.ends.count > 0)
    next = sooner(next, core->places.ends.entries[0].time);
  if (on.queued && core->lsu.served > 0)
    next = sooner(next, lsu_oldest_served(&core->lsu)->known);
  return next;
}

CORE_INLINE void complete(struct engine *engine, struct core *core, struct mechanisms on) {
  while (core->busy > 0 && core->engine_ends[core->busy - 1] == core->now) {
    const uint32_t index = core->engine_warps[--core->busy];
    if (on.rare && engine->observer)
      observer_end(engine->observer, core->id, index, core->now);
    core_finish_event(engine, core, index, on);
  }
  while (!on.blocking && core->sleepers.count > 0 && core->sleepers.entries[0].time == core->now) {
    uint32_t index = time_heap_pop(&core->sleepers).id;
    core->waiting[core->warps[index].waits]--;
    if (on.dependency)
      core_go_on(engine, core, index, on);
    else
      core_advance_here(engine, core, index, on);
  }
  if (on.rare && core->places.ends.count > 0)
    core_free_places(core);
}

/* Must the core stop before it goes on to `next`, if only because that is too late? What idle engines wait for must be
 * known to be accounted for. A recorder wants all cores' events in order of (time, core). */
CORE_INLINE bool needs_answer(const struct engine *engine, const struct core *core, uint64_t next,
                              struct mechanisms on) {
  return next >= core->horizon ||
         (!on.queued && !on.blocking && core->unknown_waits > 0 && core->busy < engine->execution_engines &&
          next > core->accounted) ||
         (on.rare && engine->recorder && !its_turn(engine, core, next));
}

/* Before `next`; UINT64_MAX: nothing comes, unless an answer does. */
CORE_INLINE void stop(struct engine *engine, struct core *core, uint64_t next, struct mechanisms on) {
  core->position = sooner(next, core->horizon);
  if (next == UINT64_MAX && core_first_answer(core, on) == UINT64_MAX)
    core->stage = CORE_FINISHED;
  else if (core->position > MAX_TICKS)
    engine->too_long = true;
}

CORE_INLINE void run(struct engine *engine, struct core *core, struct mechanisms on) {
  core->pushed = 0;
  core_collect(engine, core, on);
  core_look_ahead(core, on);
  for (;;) {
    if (core->stage == CORE_COMPLETE) {
      if (on.queued)
        core_collect(engine, core, on);
      const uint64_t next = next_time(core, on);
      if (needs_answer(engine, core, next, on)) {
        stop(engine, core, next, on);
        return;
      }
      if (core->busy < engine->execution_engines)
        core_account(engine, core, next);
      core->accounted = core->now = next;
      complete(engine, core, on);
      if (on.queued)
        core_collect(engine, core, on);
    }
    if (core->arrivals.count + core->free_slots > 0 && !dispatch(engine, core, on)) {
      core->position = core->now;
      core->stage = CORE_DISPATCH;
      return;
    }
    core->stage = CORE_COMPLETE;
    assign(engine, core, on);
  }
}

/* ---- the instances ---- */

#define POLICIES(X)                                                                                                    \
  X(blocking, true, false)                                                                                             \
  X(switching, false, false)                                                                                           \
  X(dependency, false, true)

#define LOOP(name, ...)                                                                                                \
  static void name(struct engine *engine, struct core *core) {                                                         \
    run(engine, core, (struct mechanisms){__VA_ARGS__});                                                               \
  }
#define X(policy, blocking, dependency)                                                                                \
  LOOP(policy##_plain, blocking, dependency, false, false)                                                             \
  LOOP(policy##_plain_rare, blocking, dependency, false, true)                                                         \
  LOOP(policy##_queued, blocking, dependency, true, false)                                                             \
  LOOP(policy##_queued_rare, blocking, dependency, true, true)
POLICIES(X)
#undef X

typedef void loop(struct engine *engine, struct core *core);

loop *core_loop(const struct gpu_spec *spec, bool rare) {
  static loop *const loops[][2][2] = {
#define X(policy, blocking, dependency)                                                                                \
  {{policy##_plain, policy##_plain_rare}, {policy##_queued, policy##_queued_rare}},
      POLICIES(X)
#undef X
  };
  const int policy = spec->memory == MEMORY_BLOCKING ? 0 : spec->memory == MEMORY_SWITCH_ON_ACCESS ? 1 : 2;
  const bool places = spec->memory != MEMORY_BLOCKING && spec->core_accesses_in_flight > 0;
  return loops[policy][memory_is_queued(spec)][rare || places || schedulers[spec->scheduler]->rather];
}
