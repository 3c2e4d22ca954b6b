/* The replay loops of launches whose warps walk through the trace, and functions that all replay loops share. */
#include "model/replay/core_loop.h"

#define BUSY_PATH_MOST_ENGINES                                                                                         \
  16 /* engines of a core, assumed: with more, sorting them costs more than the path saves */

/* ---- the account of idle execution engines ---- */

/* Returns the component that the core's warps wait for, the slowest first, or STACK_idle when no warp waits. */
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

uint64_t core_many_slots_ticks(const struct gpu_replay *replay, uint64_t slots) {
  const tick_sum ticks = ((tick_sum)slots * replay->arith + (1 << 19)) >> 20;
  return ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks;
}

/* ---- work-groups ---- */

/* Returns the ticks in which the core's rasteriser starts the fragments of the work-group. */
static uint64_t fragment_ticks(const struct gpu_replay *replay, uint32_t group) {
  const uint32_t *fragments = replay->trace ? replay->trace->fragments : NULL;
  return fragments ? ticks_per(fragments[group], replay->spec->fragments_per_cycle) : 0;
}

void core_give_group(struct gpu_replay *replay, struct core *core, uint32_t group) {
  uint32_t group_place = 0;
  while (core->groups[group_place].taken)
    group_place++;
  core->groups[group_place] = (struct resident_group){group, replay->warps_per_group, 0, true};
  core->free_places--;
  uint64_t begin = core->dispatch_free > core->now ? core->dispatch_free : core->now;
  core->dispatch_free = begin + replay->work_group_ticks + fragment_ticks(replay, group);
  core->waiting[STACK_launch]++;
  time_heap_push(&core->arrivals, (struct time_entry){core->dispatch_free, group_place});
  if (replay->trace)
    trace_group_read(replay->trace, &replay->trace->groups[group]);
  struct core_record *record = replay->records ? core_records_of(replay->records, core->id) : NULL;
  if (record)
    core_record_group(record, group);
  if (replay->one_core.launch)
    one_core_starts(replay, group_place, group, core->dispatch_free);
}

/* ---- the busy fast path ---- */

/* Returns whether every event takes time; short runs may not. */
static bool events_take_time(const struct gpu_replay *replay) {
  const struct memory_system *memory = &replay->memory;
  if (replay->recorded)
    return !replay->recorded->costs->instant && !replay->ports_on;
  return memory->store_ticks > 0 && memory->l1_ticks > 0 && core_ports_take_time(replay->spec) &&
         replay->barrier_ticks > 0 && replay->arith > 0;
}

/* Every event must take time, and ranks must fit into keys. */
void core_choose_busy_path(struct gpu_replay *replay) {
  const uint64_t least = UINT64_C(1) << 19; /* the least product that rounds up to a tick */
  const uint64_t warps = (uint64_t)replay->group_count * replay->warps_per_group;
  replay->busy_path = replay->spec->memory == MEMORY_BLOCKING && events_take_time(replay) &&
                      (replay->recorded || replay->execution_engines <= BUSY_PATH_MOST_ENGINES) &&
                      warps <= UINT64_C(1) << (CORE_KEY_RANK_BITS - replay->index_bits);
  if (replay->busy_path && !replay->recorded)
    replay->least_slots = (least + replay->arith - 1) / replay->arith;
}

/* ---- the instances of the loop ---- */

/* Each memory policy has four instances, made from the list of policies: without and with queues, without and with rare
 * mechanisms. */
#define X(constant, name, meaning)                                                                                     \
  LOOP(name##_plain, constant == MEMORY_BLOCKING, constant == MEMORY_DEPENDENCY, false, false, false, false)           \
  LOOP(name##_plain_rare, constant == MEMORY_BLOCKING, constant == MEMORY_DEPENDENCY, false, true, false, false)       \
  LOOP(name##_queued, constant == MEMORY_BLOCKING, constant == MEMORY_DEPENDENCY, true, false, false, false)           \
  LOOP(name##_queued_rare, constant == MEMORY_BLOCKING, constant == MEMORY_DEPENDENCY, true, true, false, false)
MEMORY_POLICIES(X)
#undef X
typedef void loop(struct gpu_replay *replay, struct core *core);

loop *core_loop(const struct gpu_spec *spec, bool rare) {
  static loop *const loops[][2][2] = {
#define X(constant, name, meaning)                                                                                     \
  [constant] = {{name##_plain, name##_plain_rare}, {name##_queued, name##_queued_rare}},
      MEMORY_POLICIES(X)
#undef X
  };
  return loops[spec->memory][memory_is_queued(spec)]
              [rare || schedulers[spec->scheduler]->prefers || graphics_caches_are_shared(spec) || pipes_are_on(spec)];
}
