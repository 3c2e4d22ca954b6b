/* Allocates and frees the memory of a core of the replay. */
#include <stdlib.h>
#include <string.h>

#include "model/replay/core.h"

static uint32_t power_of_two(uint32_t least) {
  uint32_t n = 1;
  while (n < least)
    n *= 2;
  return n;
}

/* Allocates the lists of outstanding accesses of all warps, under `dependency`. Returns false when out of memory. */
static bool outstanding_init(struct gpu_replay *replay, struct core *core, uint32_t warps) {
  uint32_t limit = (uint32_t)replay->spec->warp_accesses_in_flight;
  if (replay->spec->memory != MEMORY_DEPENDENCY)
    return true;
  core->outstanding = calloc((size_t)warps * limit, sizeof *core->outstanding);
  for (uint32_t i = 0; i < warps && core->outstanding; i++)
    core->warps[i].outstanding = (struct outstanding_list){core->outstanding + (size_t)i * limit, 0, 0, limit};
  return core->outstanding;
}

static bool outstanding_limit_setup(const struct gpu_replay *replay, struct core *core, uint32_t warps) {
  const bool limited = replay->spec->memory != MEMORY_BLOCKING && replay->spec->core_accesses_in_flight > 0;
  return !limited || outstanding_limit_init(&core->limit, (uint32_t)replay->spec->core_accesses_in_flight, warps);
}

static bool moments_init(struct core *core) {
  core->ready_moments = calloc(core->ready_mask + 1u, sizeof *core->ready_moments);
  core->ready_numbers = calloc(core->ready_mask + 1u, sizeof *core->ready_numbers);
  return core->ready_moments && core->ready_numbers;
}

/* Allocates the state of the engines' pipes, and the uses of each warp. Returns false when out of memory. */
static bool pipes_init(const struct gpu_replay *replay, struct core *core, uint32_t warps) {
  if (!replay->pipes.on)
    return true;
  core->uses = calloc(warps, sizeof *core->uses);
  core->pipes_free = calloc((size_t)EXECUTION_PIPE_COUNT * replay->execution_engines, sizeof *core->pipes_free);
  return core->uses && core->pipes_free;
}

/* Allocates the memory for walking through the trace and looking up caches. Returns false when out of memory. */
static bool walk_init(struct gpu_replay *replay, struct core *core, uint32_t lines, uint32_t most_bytes) {
  const uint32_t warps = replay->group_places * replay->warps_per_group;
  core->op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *core->op_ticks);
  core->access.lines = calloc(memory_access_room(lines), sizeof *core->access.lines);
  return core->op_ticks && core->access.lines && outstanding_init(replay, core, warps) &&
         outstanding_limit_setup(replay, core, warps) && core_ports_init(&core->ports, replay->spec, most_bytes) &&
         pipes_init(replay, core, warps);
}

static bool engines_init(const struct gpu_replay *replay, struct core *core) {
  core->keys = calloc(replay->execution_engines, sizeof *core->keys);
  if ((core->engines = calloc(replay->execution_engines + 1u, sizeof *core->engines)))
    (core->engines++)->end = UINT64_MAX;
  return core->keys && core->engines;
}

static bool warps_init(struct core *core, uint32_t warps) {
  const uint32_t ring = power_of_two(warps);
  core->warps = aligned_alloc(_Alignof(struct resident_warp), warps * sizeof *core->warps);
  if (core->warps)
    memset(core->warps, 0, warps * sizeof *core->warps);
  core->ready_mask = ring - 1;
  core->ready = calloc(ring, sizeof *core->ready);
  core->limit.ends = time_queue_make(NULL, 0); /* until outstanding_limit_init sets a limit */
  core->sleepers = time_queue_make(calloc(ring, sizeof *core->sleepers.entries), ring - 1);
  return core->warps && core->ready && core->sleepers.entries;
}

static bool groups_init(const struct gpu_replay *replay, struct core *core) {
  if (replay->order->own)
    core->range = replay->one_core.launch ? replay->range
                  : replay->alone.record  ? core_alone_range(&replay->alone)
                  : replay->homes.list    ? dispatch_homes_of(&replay->homes, core->id)
                                          : replay->order->own(core->id, replay->core_count, replay->group_count);
  core->free_places = replay->group_places;
  core->groups = calloc(replay->group_places, sizeof *core->groups);
  core->arrivals.entries = calloc(replay->group_places, sizeof *core->arrivals.entries);
  return core->groups && core->arrivals.entries;
}

bool core_init(struct gpu_replay *replay, uint32_t id, uint32_t lines, uint32_t most_bytes) {
  struct core *core = &replay->cores[id];
  core->id = id;
  core->context = replay->context;
  core->counters = replay->memory.counters ? &replay->memory.counters[id].all : NULL;
  core->stage = CORE_DISPATCH;
  core->position = replay->launch_ticks;
  return groups_init(replay, core) && engines_init(replay, core) &&
         warps_init(core, replay->group_places * replay->warps_per_group) && lsu_init(&core->lsu, replay->spec) &&
         (replay->recorded ? moments_init(core) : walk_init(replay, core, lines, most_bytes));
}

void core_clear(struct core *core) {
  free(core->op_ticks);
  free(core->groups);
  free(core->warps);
  free(core->ready_moments);
  free(core->ready_numbers);
  free(core->recorded);
  free(core->engines ? core->engines - 1 : NULL);
  free(core->keys);
  free(core->ready);
  free(core->sleepers.entries);
  free(core->arrivals.entries);
  free(core->access.lines);
  free(core->outstanding);
  free(core->uses);
  free(core->pipes_free);
  lsu_clear(&core->lsu);
  core_ports_clear(&core->ports);
  outstanding_limit_clear(&core->limit);
}
