/* Begins memory accesses of a core's warps: at a port, at L1, or on their way to L2. These are inline functions of the
 * replay loop (core.c), which makes `on` constant. */
#ifndef MODEL_CORE_ACCESS_H
#define MODEL_CORE_ACCESS_H

#include "model/memory/l1_level.h"
#include "model/replay/core_answers.h"
#include "model/warp/warp_segments.h"

/* Finds the range of pieces of lines, from *low to *high, that the access touches. Returns false if the access is not
 * one range; core->access then has the lines, if it has transactions. */
CORE_INLINE bool access_range(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                              enum trace_op_class op_class, uint32_t *low, uint32_t *high) {
  const struct line_size *piece = &replay->memory.parts.piece;
  core->access.transactions = 0;
  if (op_class == OP_STORE && replay->memory.partial.on)
    return false;
  if (!warp->at || warp->at->bytes > replay->memory.range_bytes || op_class == OP_ATOMIC)
    return false;
  if (uniform_lines(warp, piece, low, high))
    return true;
  if (!warp->one_segment)
    core->access.transactions = warp_segment_lines(warp, replay->trace->header.local, piece, core->access.lines);
  *low = *high = core->access.lines[0];
  return core->access.transactions == 1;
}

/* Begins an access that is not one range. */
CORE_INLINE void begin_lines(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                             enum trace_op_class op_class, struct mechanisms on) {
  struct lane_addresses lanes;
  if (core->access.transactions > 0) {
    access_lines_of_pieces(&replay->memory.parts, core->access.lines, core->access.transactions);
    memory_one_part(&replay->memory, &core->access);
  } else {
    warp_addresses(warp, core->context, &lanes);
    if (op_class == OP_ATOMIC)
      merged_atomics_merge(merged_atomics_role(&replay->memory.merged, warp->op), &lanes);
    memory_lines(&replay->memory, op_class, &lanes, &core->access);
  }
  if (on.rare)
    REPLAY_ANNOUNCE(replay, lines, 1, core->id, op_class, core->access.lines, core->access.transactions);
  memory_begin(&replay->memory, core->id, op_class, &lanes, &core->access);
}

/* Begins an access in full, and sets core->access to the result of L1. If `range` is true, the access is the pieces
 * from `low` to `high`. */
CORE_INLINE void begin_access(struct gpu_replay *replay, struct core *core, const struct warp *warp,
                              enum trace_op_class op_class, bool range, uint32_t low, uint32_t high,
                              struct mechanisms on) {
  const struct sim_counters *count = core->counters;
  const uint64_t accesses = on.rare ? count->l1_accesses : 0, misses = on.rare ? count->l1_misses : 0;
  for (uint32_t each = low; on.rare && range && each <= high; each++)
    REPLAY_ANNOUNCE(replay, lines, 1, core->id, op_class, &(uint32_t){each >> replay->memory.parts.pieces_shift}, 1);
  if (range)
    memory_begin_range(&replay->memory, core->id, op_class, low, high, &core->access);
  else
    begin_lines(replay, core, warp, op_class, on);
  if (on.rare)
    REPLAY_ANNOUNCE(replay, looked_up, 1, warp->op, count->l1_accesses - accesses, count->l1_misses - misses);
}

/* Lets an access of one line that stays in the core pass. Returns the time until which it takes the engine. */
CORE_INLINE uint64_t pass_core(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op, bool load,
                               uint32_t line, struct mechanisms on) {
  const uint64_t level = load ? replay->memory.l1_ticks : replay->memory.store_ticks;
  const struct lsu_waits waits = on.queued ? lsu_pass_one(&core->lsu, load, line, core->now) : (struct lsu_waits){0};
  const uint64_t rest = waits.line + level, issue = on.blocking ? 0 : replay->transaction_ticks;
  const enum stack_component of_level = load ? STACK_l1 : STACK_store;
  if (on.queued && core->now + issue + waits.unit + rest > MAX_TICKS)
    replay->too_long = true;
  if (!on.blocking)
    return issue_access(core, index, issue, waits.unit + rest,
                        waits.unit > rest ? STACK_lsu
                        : waits.line      ? STACK_l2
                        : level           ? of_level
                                          : STACK_store,
                        on);
  core_charge(core, op, of_level, level);
  if (on.queued)
    core_charge(core, op, STACK_lsu, waits.unit);
  if (waits.line)
    core_charge(core, op, STACK_l2, waits.line);
  return core->now + waits.unit + rest;
}

/* Sends a store on to L2, where nothing on the way is limited. Returns the time until which it takes the engine. */
CORE_INLINE uint64_t send_store(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op,
                                uint32_t line, struct mechanisms on) {
  const uint64_t ticks = replay->memory.store_ticks;
  if (!lsu_push_store(&core->lsu, index, core->now, op, core->id, line)) {
    replay->no_memory = replay->too_long = true;
    return core->now + ticks;
  }
  if (++core->pushed >= CORE_RUN_AHEAD)
    core->horizon = core->now;
  if (!on.blocking)
    return issue_access(core, index, replay->transaction_ticks, ticks, STACK_store, on);
  core_charge(core, op, STACK_store, ticks);
  return core->now + ticks;
}

/* Completes an access of one line on the short path, if L1 can serve it and no earlier access is on its way;
 * core->access is then not set. Sets *end to the time until which it takes the engine. Returns false and changes
 * nothing if the access must take the full path. */
CORE_INLINE bool access_in_short(struct gpu_replay *replay, struct core *core, uint32_t index, uint32_t op,
                                 enum trace_op_class op_class, uint32_t line, uint64_t *end, struct mechanisms on) {
  if (on.queued && !lsu_is_clear(&core->lsu, core->now))
    return false;
  const enum l1_short at_l1 = l1_use_one(&replay->memory, core->id, op_class, line, !on.queued);
  if (at_l1 == L1_KEEPS)
    *end = pass_core(replay, core, index, op, op_class == OP_LOAD, line, on);
  else if (at_l1 == L1_SENDS_ON)
    *end = send_store(replay, core, index, op, line, on);
  return at_l1 != L1_IN_FULL;
}

static inline void announce_port_access(struct gpu_replay *replay, const struct core *core, uint32_t index,
                                        const struct port_access *access) {
  const struct replay_event event = event_of(core, index);
  REPLAY_ANNOUNCE(replay, access_end, event.warp->op, access->ticks);
  REPLAY_ANNOUNCE(replay, port_access, &event, access->waits, access->transactions);
}

/* Returns whether an access of a warp in one segment of the work-group has a different address for each lane. */
CORE_INLINE bool lanes_differ(const struct warp *warp) {
  if (!warp->at || !warp->one_segment || warp->count == 1)
    return false;
  const struct trace_stream stream = trace_stream_in(warp->streams, warp->at->site);
  return stream.kind == STREAM_AFFINE && stream.item_stride[0] != 0;
}

/* Returns whether a port may take the access. For most loads that none takes this is known at once. */
CORE_INLINE bool may_take_port(const struct gpu_replay *replay, const struct core *core, const struct warp *warp) {
  const struct trace_op *op = &replay->trace->code.ops[warp->op];
  return (op->space == SPACE_LOCAL && core->ports.scratchpad.on) ||
         (uniform_port_may(&core->ports.uniform, op) && !lanes_differ(warp));
}

/* Begins an access that takes a port beside the load/store unit, and ends at a time that the core knows. Sets *end to
 * the time until which it takes the engine. Returns false if the access takes no such port. */
CORE_INLINE bool take_port(struct gpu_replay *replay, struct core *core, uint32_t index, uint64_t *end,
                           struct mechanisms on) {
  const struct resident_warp *warp = &core->warps[index];
  if (!may_take_port(replay, core, &warp->warp))
    return false;
  const struct port_access access = core_ports_access(replay, core, &warp->warp);
  if (!access.taken)
    return false;
  if (on.rare)
    announce_port_access(replay, core, index, &access);
  if (on.blocking) {
    core_charge(core, warp->warp.op, access.waits, access.ticks);
    *end = core->now + access.ticks;
  } else {
    *end = issue_access(core, index, issue_ticks(replay, access.transactions), access.ticks, access.waits, on);
  }
  return true;
}

/* Begins an access. Returns the time until which it takes the engine, or CORE_UNKNOWN if that is not known yet. */
CORE_INLINE uint64_t core_start_access(struct gpu_replay *replay, struct core *core, uint32_t index,
                                       const struct warp *warp, struct mechanisms on) {
  uint64_t end;
  core->counters->memory_accesses++;
  uint8_t cache = GRAPHICS_none;
  uint32_t texel_ticks = 0;
  if (replay->memory.reads_by_name) {
    const uint8_t *cache_of_op = replay->memory.graphics.of_op;
    cache = cache_of_op ? cache_of_op[warp->op] : GRAPHICS_none;
    texel_ticks = texture_unit_item_ticks(&replay->memory.texels, warp->op);
  }
  const bool plain = cache == GRAPHICS_none && texel_ticks == 0;
  if (replay->ports_on && plain && take_port(replay, core, index, &end, on))
    return end;
  core->access.cache = cache;
  uint32_t low = 0, high = 0;
  const enum trace_op_class op_class =
      (enum trace_op_class)(warp->at ? warp->at->op_class : replay->trace->code.ops[warp->op].op_class);
  const bool range = access_range(replay, core, warp, op_class, &low, &high);
  if (!on.rare && plain && range && low == high &&
      access_in_short(replay, core, index, warp->op, op_class, low >> replay->memory.parts.pieces_shift, &end, on))
    return end;
  begin_access(replay, core, warp, op_class, range, low, high, on);
  if (texel_ticks)
    core->access.still_ticks +=
        texture_unit_more(texel_ticks, warp->count, core->access.transactions * core->lsu.transaction_ticks);
  if (on.rare)
    announce_access(replay, core, index);
  if (!on.queued)
    return access_at_once(replay, core, index, on);
  return access_queued(replay, core, index, on.blocking ? 0 : issue_ticks(replay, core->access.passes), warp->op,
                       &core->access, on);
}

#endif
