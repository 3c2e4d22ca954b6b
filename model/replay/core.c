/* The replay loop of a core. It is written once, for any mechanisms, and compiled once for each combination that it
 * asks about (struct mechanisms): a mechanism that is off costs nothing there. */
#include "model/replay/busy_fast_path.h"

#define MOST_STRETCHED 16 /* engines of a core, assumed: with more, sorting them costs more than a stretch saves */

/* ---- where idle execution engines' time goes ---- */

/* What the core's warps wait for, the slowest first; nothing: too few warps, or none. */
static enum stack_component idle_reason(const struct core *core) {
#define X(component) STACK_##component,
  static const enum stack_component order[] = {SIM_WAITS_SLOWEST_FIRST(X)};
#undef X
  for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
    if (core->waiting[order[i]])
      return order[i];
  return STACK_idle;
}

void core_account(struct gpu_replay *replay, struct core *core, uint64_t time) {
  if (time > core->accounted && core->busy < replay->execution_engines)
    core->stack[idle_reason(core)] += (time - core->accounted) * (replay->execution_engines - core->busy);
  core->accounted = time;
}

/* ---- work-groups ---- */

void core_give_group(struct gpu_replay *replay, struct core *core, uint32_t group) {
  uint32_t slot = 0;
  while (core->groups[slot].taken)
    slot++;
  core->groups[slot] = (struct resident_group){group, replay->warps_per_group, 0, true};
  core->free_slots--;
  uint64_t begin = core->dispatch_free > core->now ? core->dispatch_free : core->now;
  core->dispatch_free = begin + replay->work_group_ticks;
  core->waiting[STACK_launch]++;
  time_heap_push(&core->arrivals, (struct time_entry){core->dispatch_free, slot});
}

static void start_warp(struct gpu_replay *replay, struct core *core, uint32_t slot, uint32_t number,
                       struct mechanisms on) {
  uint32_t index = slot * replay->warps_per_group + number;
  uint64_t place = (uint64_t)core->id * replay->slots + slot;
  uint64_t global_index = (uint64_t)core->id * replay->slots * replay->warps_per_group + index;
  uint64_t items = trace_local_size(&replay->trace->header);
  uint64_t locals = (UINT64_C(1) << 32) + (uint64_t)replay->core_count * replay->slots * replay->local_stride;
  struct resident_warp *warp = &core->warps[index];
  warp->warp.rank = core->next_age++ << replay->index_bits | index;
  warp->slot = slot;
  warp->warp.local_base = (UINT64_C(1) << 32) + place * replay->local_stride;
  warp->warp.private_stride = replay->private_stride;
  warp->warp.counters = replay->counters + global_index * core->context->depth;
  warp_place(&warp->warp, &replay->trace->header, replay->spec, number);
  warp->warp.private_base = locals + (place * items + warp->warp.first_item) * replay->private_stride;
  warp_start(&warp->warp, core->context, &replay->trace->groups[core->groups[slot].group],
             replay->divergent ? replay->divergent + global_index * replay->divergent_bytes : NULL);
  if (warp->warp.at)
    core_add_slots(core, core->context->programs[warp->warp.path_index].slots);
  if (replay->fetch.on)
    instruction_fetch_start(&replay->fetch, global_index, &warp->warp);
  if (replay->recorder)
    event_recorder_start(replay->recorder, global_index,
                         (uint64_t)core->groups[slot].group * replay->warps_per_group + number);
  warp->warp.event = (uint8_t)warp_next(&warp->warp, core->context);
  core_go_on_rarely(replay, core, index, on);
}

static void arrive(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->arrivals.count > 0 && core->arrivals.entries[0].time == core->now) {
    uint32_t slot = time_heap_pop(&core->arrivals).id;
    core->waiting[STACK_launch]--;
    if (replay->observer)
      observer_group(replay->observer, core->id, slot, core->groups[slot].group, true, core->now);
    for (uint32_t i = 0; i < replay->warps_per_group; i++)
      start_warp(replay, core, slot, i, on);
  }
}

static bool its_turn(const struct gpu_replay *replay, const struct core *core, uint64_t time) {
  return time_before((struct time_entry){time, core->id}, replay->turn);
}

/* False: must wait for its turn at the queue. */
CORE_INLINE bool dispatch(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  if (core->arrivals.count > 0)
    arrive(replay, core, on);
  if (core->free_slots == 0)
    return true;
  struct dispatch_range *range = core_range(replay, core);
  while (core->free_slots > 0 && !dispatch_is_over(range)) {
    if (!replay->order->own && !its_turn(replay, core, core->now))
      return false;
    core_give_group(replay, core, dispatch_take(range));
    arrive(replay, core, on);
  }
  return true;
}

/* ---- events on execution engines ---- */

static struct warp_view ready_at(const struct gpu_replay *replay, const struct core *core, uint32_t number) {
  const uint64_t rank = core->ready[(core->ready_head + number) & core->ready_mask].rank;
  const struct resident_warp *warp = &core->warps[core_place_of(core, rank)];
  return (struct warp_view){rank >> replay->index_bits, core_place_of(core, rank), warp->slot, warp->warp.event};
}

/* Brings the warp that the scheduler prefers to the front; the others keep their order. */
static void bring_to_front(struct gpu_replay *replay, struct core *core) {
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

CORE_INLINE void assign(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->ready_count > 0 && core->busy < replay->execution_engines) {
    if (on.rare && replay->scheduler->prefers)
      bring_to_front(replay, core);
    const uint32_t index = core_take_ready(core);
    if (!on.blocking && core->places.limit > 0 && core->warps[index].warp.event == WARP_ACCESS &&
        !find_place(core, index))
      continue;
    core_occupy(core, index, core_begin_event(replay, core, index, &core->warps[index], on));
  }
}

/* ---- time ---- */

/* When an engine becomes free or a work-group arrives. */
CORE_INLINE uint64_t next_end(const struct core *core) {
  const uint64_t next = core->engines[(int64_t)core->busy - 1].end;
  return core->arrivals.count > 0 ? core_sooner(next, core->arrivals.entries[0].time) : next;
}

/* When something that takes no engine happens to waiting warps. */
CORE_INLINE uint64_t next_wake(struct core *core, struct mechanisms on) {
  uint64_t next = UINT64_MAX;
  if (!on.blocking && core->sleepers.count > 0)
    next = time_queue_first(&core->sleepers);
  if (!on.blocking && core->places.ends.count > 0)
    next = core_sooner(next, time_queue_first(&core->places.ends));
  if (on.queued && core->lsu.served > 0)
    next = core_sooner(next, lsu_oldest_served(&core->lsu)->known);
  return next;
}

CORE_INLINE void wake(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (!on.blocking && core->sleepers.count > 0 && time_queue_first(&core->sleepers) == core->now) {
    uint32_t index = time_queue_pop(&core->sleepers).id;
    core->waiting[core->warps[index].waits]--;
    core_go_on(replay, core, index, on);
  }
  if (!on.blocking && core->places.ends.count > 0)
    core_free_places(core);
  if (on.queued)
    core_collect(replay, core, on);
}

/* All engines are busy until `next`: who wakes before joins the queue, each at its time. Returns the time from which to
 * go on: `next`, or when a work-group's end makes room for another one. */
CORE_INLINE uint64_t wake_before(struct gpu_replay *replay, struct core *core, uint64_t next, struct mechanisms on) {
  const uint32_t free_slots = core->free_slots;
  uint64_t time;
  while ((time = next_wake(core, on)) < next) {
    core->now = time;
    wake(replay, core, on);
    if (core->free_slots > free_slots)
      return time;
  }
  return next;
}

CORE_INLINE void complete(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  while (core->engines[(int64_t)core->busy - 1].end == core->now) {
    const uint32_t index = core->engines[--core->busy].warp;
    if (on.rare && replay->observer)
      observer_end(replay->observer, core->id, index, core->now);
    core_finish_event(replay, core, index, on);
  }
  wake(replay, core, on);
}

/* Must the core stop before it goes on to `next`, if only because that is too late? What idle engines wait for must be
 * known to be accounted for. */
CORE_INLINE bool needs_answer(const struct gpu_replay *replay, const struct core *core, uint64_t next,
                              struct mechanisms on) {
  return next >= core->horizon || (!on.queued && !on.blocking && core->unknown_waits > 0 &&
                                   core->busy < replay->execution_engines && next > core->accounted);
}

/* Before `next`; UINT64_MAX: nothing comes, unless an answer does. */
CORE_INLINE void stop(struct gpu_replay *replay, struct core *core, uint64_t next, struct mechanisms on) {
  core->position = core_sooner(next, core->horizon);
  if (next == UINT64_MAX && core_first_answer(core, on) == UINT64_MAX)
    core->stage = CORE_FINISHED;
  else if (core->position > MAX_TICKS)
    replay->too_long = true;
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
      if (on.blocking && !on.rare && replay->stretches && all_busy && (!on.queued || core->lsu.served == 0) &&
          next_end(core) > core->now)
        core_stretch(replay, core, on);
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
    if (core->arrivals.count + core->free_slots > 0 && !dispatch(replay, core, on)) {
      core->position = core->now;
      core->stage = CORE_DISPATCH;
      return;
    }
    core->stage = CORE_COMPLETE;
    assign(replay, core, on);
  }
}

/* ---- stretches ---- */

/* Every event must take time; ranks must fit in keys. */
void core_set_stretches(struct gpu_replay *replay) {
  const struct memory_system *memory = &replay->memory;
  const uint64_t least = UINT64_C(1) << 19; /* what rounds to a tick */
  const uint64_t warps = (uint64_t)replay->trace->group_count * replay->warps_per_group;
  replay->stretches = replay->spec->memory == MEMORY_BLOCKING && memory->store_ticks > 0 && memory->l1_ticks > 0 &&
                      core_ports_take_time(replay->spec) && replay->barrier_ticks > 0 && replay->arith > 0 &&
                      replay->execution_engines <= MOST_STRETCHED &&
                      warps <= UINT64_C(1) << (CORE_KEY_RANK_BITS - replay->index_bits);
  if (replay->stretches)
    replay->least_slots = (least + replay->arith - 1) / replay->arith;
}

/* ---- the instances ---- */

#define POLICIES(X)                                                                                                    \
  X(blocking, true, false)                                                                                             \
  X(switching, false, false)                                                                                           \
  X(dependency, false, true)

#define LOOP(name, ...)                                                                                                \
  static void name(struct gpu_replay *replay, struct core *core) {                                                     \
    run(replay, core, (struct mechanisms){__VA_ARGS__});                                                               \
  }
#define X(policy, blocking, dependency)                                                                                \
  LOOP(policy##_plain, blocking, dependency, false, false)                                                             \
  LOOP(policy##_plain_rare, blocking, dependency, false, true)                                                         \
  LOOP(policy##_queued, blocking, dependency, true, false)                                                             \
  LOOP(policy##_queued_rare, blocking, dependency, true, true)
POLICIES(X)
#undef X

typedef void loop(struct gpu_replay *replay, struct core *core);

loop *core_loop(const struct gpu_spec *spec, bool rare) {
  static loop *const loops[][2][2] = {
#define X(policy, blocking, dependency)                                                                                \
  {{policy##_plain, policy##_plain_rare}, {policy##_queued, policy##_queued_rare}},
      POLICIES(X)
#undef X
  };
  const int policy = spec->memory == MEMORY_BLOCKING ? 0 : spec->memory == MEMORY_SWITCH_ON_ACCESS ? 1 : 2;
  return loops[policy][memory_is_queued(spec)][rare || schedulers[spec->scheduler]->prefers];
}
