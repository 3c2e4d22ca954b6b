/* Memory accesses of a core's warps begin: at a port, at L1, or on their way to L2. Bodies for the replay loop (core.c),
 * which makes `on` constant. */
#ifndef MODEL_CORE_ACCESS_H
#define MODEL_CORE_ACCESS_H

#include "model/replay/core_answers.h"
#include "model/warp/warp_rows.h"

enum begun { BEGUN, BEGUN_HIT, BEGUN_STORE, BEGUN_KEPT };

/* Finds the pieces of lines from *low to *high that are all that the access touches. Returns false where there is more
 * to it; core->access then has the lines, if it has transactions. */
CORE_INLINE bool access_range(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                              enum trace_op_class op_class, uint32_t *low, uint32_t *high) {
  const struct line_size *piece = &replay->memory.parts.piece;
  core->access.transactions = 0;
  if (!warp->at || warp->at->bytes > replay->memory.range_bytes || op_class == OP_ATOMIC)
    return false;
  if (uniform_lines(warp, piece, low, high))
    return true;
  if (!warp->one_row)
    core->access.transactions = warp_rows_lines(warp, replay->trace->header.local, piece, core->access.lines);
  *low = *high = core->access.lines[0];
  return core->access.transactions == 1;
}

/* Begins an access that is no range. */
CORE_INLINE void begin_lines(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                             enum trace_op_class op_class, struct mechanisms on) {
  struct lane_addresses lanes;
  if (core->access.transactions > 0) {
    access_lines_of_pieces(&replay->memory.parts, core->access.lines, core->access.transactions);
  } else {
    warp_addresses(warp, core->context, &lanes);
    memory_lines(&replay->memory, op_class, &lanes, &core->access);
  }
  if (on.rare)
    REPLAY_ANNOUNCE(replay, lines, 1, core->id, op_class, core->access.lines, core->access.transactions);
  memory_begin(&replay->memory, core->id, op_class, &lanes, &core->access);
}

/* Looks L1 up; no other function does. Usual accesses of one *line return early without setting core->access: a load
 * that L1 holds and a store that L1 keeps, where nothing delays them, and a store that goes on where nothing is
 * limited. */
CORE_INLINE enum begun begin_access(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                                    uint32_t *line, struct mechanisms on) {
  uint32_t low, high;
  const struct sim_counters *count = core->counters;
  const uint64_t accesses = on.rare ? count->l1_accesses : 0, misses = on.rare ? count->l1_misses : 0;
  const enum trace_op_class op_class =
      (enum trace_op_class)(warp->at ? warp->at->op_class : replay->trace->code.ops[warp->op].op_class);
  if (access_range(replay, core, warp, op_class, &low, &high)) {
    *line = low >> replay->memory.parts.pieces_shift;
    for (uint32_t each = low; on.rare && each <= high; each++)
      REPLAY_ANNOUNCE(replay, lines, 1, core->id, op_class, &(uint32_t){each >> replay->memory.parts.pieces_shift}, 1);
    if (!on.rare && low == high && op_class == OP_LOAD && (!on.queued || lsu_is_clear(&core->lsu, core->now)) &&
        memory_hits_l1(&replay->memory, core->id, *line))
      return BEGUN_HIT;
    if (!on.queued && !on.rare && low == high && op_class == OP_STORE && !replay->memory.writes.l1_on) {
      memory_refresh_l1(&replay->memory, core->id, *line);
      return BEGUN_STORE;
    }
    if (on.queued && !on.rare && low == high && op_class == OP_STORE && lsu_is_clear(&core->lsu, core->now) &&
        memory_stores_in_l1(&replay->memory, core->id, *line))
      return BEGUN_KEPT;
    memory_begin_range(&replay->memory, core->id, op_class, low, high, &core->access);
  } else {
    begin_lines(replay, core, warp, op_class, on);
  }
  if (on.rare)
    REPLAY_ANNOUNCE(replay, looked_up, 1, warp->op, count->l1_accesses - accesses, count->l1_misses - misses);
  return BEGUN;
}

CORE_INLINE uint64_t hit_at_once(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op,
                                 struct mechanisms on) {
  const uint64_t ticks = replay->memory.l1_ticks;
  if (!on.blocking)
    return issue_access(replay, core, index, replay->transaction_ticks, ticks, ticks ? STACK_l1 : STACK_store, on);
  core_charge(core, op, STACK_l1, ticks);
  return core->now + ticks;
}

/* The same through a clear load/store unit. */
CORE_INLINE uint64_t hit_in_unit(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t line,
                                 struct mechanisms on) {
  const uint64_t l1 = replay->memory.l1_ticks;
  const struct lsu_hit hit = lsu_pass_hit(&core->lsu, line, core->now);
  const uint64_t ticks = hit.unit + hit.line + l1, issue = on.blocking ? 0 : replay->transaction_ticks;
  const uint32_t op = core->warps[index].warp.op;
  if (core->now + issue + ticks > MAX_TICKS)
    replay->too_long = true;
  if (!on.blocking)
    return issue_access(replay, core, index, issue, ticks,
                        hit.unit > hit.line + l1 ? STACK_lsu
                        : hit.line               ? STACK_l2
                        : l1                     ? STACK_l1
                                                 : STACK_store,
                        on);
  core_charge(core, op, STACK_lsu, hit.unit);
  core_charge(core, op, STACK_l1, l1);
  if (hit.line)
    core_charge(core, op, STACK_l2, hit.line);
  return core->now + ticks;
}

/* A store that L1 keeps, through a clear load/store unit. */
CORE_INLINE uint64_t store_in_unit(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op,
                                   struct mechanisms on) {
  const uint64_t store = replay->memory.store_ticks, unit = lsu_pass_one(&core->lsu, core->now);
  const uint64_t issue = on.blocking ? 0 : replay->transaction_ticks;
  if (core->now + issue + unit + store > MAX_TICKS)
    replay->too_long = true;
  if (!on.blocking)
    return issue_access(replay, core, index, issue, unit + store, unit > store ? STACK_lsu : STACK_store, on);
  core_charge(core, op, STACK_store, store);
  core_charge(core, op, STACK_lsu, unit);
  return core->now + unit + store;
}

CORE_INLINE uint64_t store_at_once(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op,
                                   uint32_t line, struct mechanisms on) {
  const uint64_t ticks = replay->memory.store_ticks;
  if (!lsu_push_store(&core->lsu, index, core->now, op, core->id, line)) {
    replay->no_memory = replay->too_long = true;
    return core->now + ticks;
  }
  if (++core->pushed >= CORE_RUN_AHEAD)
    core->horizon = core->now;
  if (!on.blocking)
    return issue_access(replay, core, index, replay->transaction_ticks, ticks, STACK_store, on);
  core_charge(core, op, STACK_store, ticks);
  return core->now + ticks;
}

static inline void announce_port_access(struct gpu_replay *replay, const struct core *core, uint32_t index,
                                        const struct port_access *access) {
  const struct replay_event event = event_of(core, index);
  REPLAY_ANNOUNCE(replay, access_end, event.warp->op, access->ticks);
  REPLAY_ANNOUNCE(replay, port_access, &event, access->waits, access->transactions);
}

/* An access that takes a port beside the load/store unit: it ends at a time that the core knows. False: it is none.
 * *end: how long it takes the engine. */
CORE_INLINE bool take_port(struct gpu_replay *replay, struct core *core, uint32_t index, uint64_t *end,
                           struct mechanisms on) {
  const struct resident_warp *warp = &core->warps[index];
  const struct port_access access = core_ports_access(replay, core, &warp->warp);
  if (!access.taken)
    return false;
  if (on.rare)
    announce_port_access(replay, core, index, &access);
  if (on.blocking) {
    core_charge(core, warp->warp.op, access.waits, access.ticks);
    *end = core->now + access.ticks;
  } else {
    *end = issue_access(replay, core, index, issue_ticks(replay, access.transactions), access.ticks, access.waits, on);
  }
  return true;
}

/* Returns until when it takes the engine; CORE_UNKNOWN: not known yet. */
CORE_INLINE uint64_t core_start_access(struct gpu_replay *replay, struct core *core, uint32_t index,
                                       const struct warp *warp, struct mechanisms on) {
  uint64_t end;
  core->counters->memory_accesses++;
  if (replay->ports_on && take_port(replay, core, index, &end, on))
    return end;
  uint32_t line;
  const enum begun begun = begin_access(replay, core, warp, &line, on);
  if (begun == BEGUN_HIT)
    return on.queued ? hit_in_unit(replay, core, index, line, on) : hit_at_once(replay, core, index, warp->op, on);
  if (begun == BEGUN_STORE)
    return store_at_once(replay, core, index, warp->op, line, on);
  if (begun == BEGUN_KEPT)
    return store_in_unit(replay, core, index, warp->op, on);
  if (on.rare)
    announce_access(replay, core, index);
  if (!on.queued)
    return access_at_once(replay, core, index, on);
  return access_queued(replay, core, index, on.blocking ? 0 : issue_ticks(replay, core->access.transactions), warp->op,
                       &core->access, on);
}

#endif
