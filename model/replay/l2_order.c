#include "model/replay/l2_order.h"

#include <stdlib.h>

bool l2_order_init(struct l2_order *order, uint32_t cores) {
  order->cores = (struct time_heap){calloc(cores, sizeof *order->cores.entries), 0};
  return first_keys_init(&order->arrivals, cores) && order->cores.entries;
}

void l2_order_clear(struct l2_order *order) {
  free(order->cores.entries);
  first_keys_clear(&order->arrivals);
}

/* Announces the lines of an access: its own, then those that it carries along. */
static void announce_lines(const struct gpu_replay *replay, uint32_t core, const struct memory_access *access) {
  const uint32_t *carried = access->lines + access->transactions;
  REPLAY_ANNOUNCE(replay, lines, 2, core, (enum trace_op_class)access->op_class, access->lines, access->shared);
  REPLAY_ANNOUNCE(replay, lines, 2, core, OP_LOAD, carried, access->fetched);
  REPLAY_ANNOUNCE(replay, lines, 2, core, OP_STORE, carried + access->fetched, access->evicted);
}

/* Serves an access of a recorded launch, where hits and misses are known. */
static void serve_recorded(struct gpu_replay *replay, struct core *core, struct lsu_access *access) {
  const struct event_costs *costs = replay->recorded->costs;
  const struct recorded_wait wait =
      recorded_l2_serve(&replay->recorded_l2, costs->patterns, costs->pattern[access->op], access->arrives);
  access->access.atomic_ticks += wait.atomics;
  if (access->arrives > MAX_TICKS)
    replay->too_long = true;
  lsu_serve(&core->lsu, &(struct memory_service){.wait = wait.queues});
}

/* Looks the access up, or has the answer that was recorded for it. */
static struct memory_service serve(struct gpu_replay *replay, struct core *core, struct lsu_access *access) {
  if (replay->one_core.launch)
    return one_core_serve(replay, core, access);
  if (replay->alone.record)
    return core_alone_serve(&replay->alone, &replay->memory, core->lsu.queued, &access->access, access->arrives);
  if (core->lsu.queued)
    return memory_serve(&replay->memory, &access->access, access->arrives);
  memory_finish(&replay->memory, &access->access);
  return (struct memory_service){0};
}

/* Serves the core's first access that was not served. No other function looks up L2. */
static void serve_next(struct gpu_replay *replay, struct core *core) {
  struct lsu_access *access = lsu_next(&core->lsu);
  const struct sim_counters *count = &replay->memory.shared;
  const uint64_t accesses = count->l2_accesses, misses = count->l2_misses;
  if (replay->recorded) {
    serve_recorded(replay, core, access);
    return;
  }
  access->access.lines = lsu_lines(&core->lsu, access);
  announce_lines(replay, core->id, &access->access);
  const struct l2_counts before = l2_counts_of(count);
  const struct memory_service service = serve(replay, core, access);
  struct core_record *record = replay->records ? core_records_of(replay->records, core->id) : NULL;
  if (record)
    core_record_access(record, &replay->memory, &access->access, access->arrives, before);
  if (access->arrives > MAX_TICKS)
    replay->too_long = true;
  REPLAY_ANNOUNCE(replay, looked_up, 2, access->op, count->l2_accesses - accesses, count->l2_misses - misses);
  REPLAY_ANNOUNCE(replay, l2_served, core->id, &access->access);
  lsu_serve(&core->lsu, &service);
}

/* The key of (time, core) is one number; times beyond MAX_TICKS, where the replay stops, are all equal. */
#define CORE_BITS 10

static uint64_t order_key(uint64_t time, uint32_t core) {
  if (time == UINT64_MAX)
    return FIRST_KEY_NONE;
  return (time <= MAX_TICKS ? time : MAX_TICKS + 1) << CORE_BITS | core;
}

void l2_order_expect(struct l2_order *order, struct core *core) {
  first_keys_set(&order->arrivals, core->id, order_key(lsu_next_arrival(&core->lsu), core->id));
}

/* Serves the first core's accesses up to `end`, until another core's access comes first. The first key of the other
 * cores is found while the first access is served, because it does not depend on that. */
static void serve_first_core(struct gpu_replay *replay, struct l2_order *order, uint64_t end) {
  struct core *core = &replay->cores[order->arrivals.first & ((1 << CORE_BITS) - 1)];
  const uint64_t others = first_keys_take(&order->arrivals, core->id);
  uint64_t key;
  do {
    serve_next(replay, core);
    key = order_key(lsu_next_arrival(&core->lsu), core->id);
  } while (key < others && key <= end && !replay->too_long);
  first_keys_put(&order->arrivals, core->id, key);
}

void l2_order_serve(struct gpu_replay *replay, struct l2_order *order, struct time_entry last) {
  const uint64_t end = order_key(last.time, last.id);
  while (order->arrivals.first != FIRST_KEY_NONE && order->arrivals.first <= end && !replay->too_long)
    serve_first_core(replay, order, end);
}

static void run_first(struct gpu_replay *replay, struct l2_order *order) {
  struct core *core = &replay->cores[order->cores.entries[0].id];
  replay->next_core = time_heap_second(&order->cores);
  replay->run(replay, core);
  if (core->stage == CORE_FINISHED)
    time_heap_pop(&order->cores);
  else
    time_heap_replace(&order->cores, (struct time_entry){core->position, core->id});
  l2_order_expect(order, core);
}

void l2_order_run(struct gpu_replay *replay, struct l2_order *order) {
  for (uint32_t i = 0; i < replay->core_count; i++)
    if (replay_has_core(replay, i))
      time_heap_push(&order->cores, (struct time_entry){replay->cores[i].position, i});
  while (order->cores.count > 0 && !replay->too_long) {
    l2_order_serve(replay, order, order->cores.entries[0]);
    REPLAY_ANNOUNCE(replay, complete_until, order->cores.entries[0]);
    if (order->cores.entries[0].time >= replay->until && replay->hooks.stop &&
        !replay->hooks.stop(replay->hooks.listener, replay))
      return;
    run_first(replay, order);
  }
  l2_order_serve(replay, order, (struct time_entry){UINT64_MAX, 0});
}
