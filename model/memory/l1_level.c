#include "model/memory/l1_level.h"

/* Looks up the lines of a load, and moves those that miss to the front of `lines`. */
static void load_lines(struct cache *l1, struct memory_access *access) {
  uint32_t missed = 0;
  for (uint32_t i = 0; i < access->transactions; i++)
    if (!l1 || !cache_access(l1, access->lines[i])) {
      uint32_t line = access->lines[i];
      access->lines[i] = access->lines[missed];
      access->lines[missed++] = line;
    }
  access->shared = missed;
}

static void store_lines(struct cache *l1, struct memory_access *access) {
  for (uint32_t i = 0; i < access->transactions && l1; i++)
    cache_touch(l1, access->lines[i]);
}

void l1_use(struct memory_system *memory, uint32_t core, struct memory_access *access) {
  struct cache *l1 = memory->l1[core];
  access->shared = access->transactions;
  access->words = access->fetched = access->evicted = 0;
  if (access->cache != GRAPHICS_none) {
    struct cache *own = memory->graphics.of[access->cache][core];
    (access->op_class == OP_STORE ? store_lines : load_lines)(own, access);
    return;
  }
  if (access->op_class == OP_STORE && memory->writes.l1_on)
    write_policy_store(&memory->writes, core, l1, access);
  else if (access->op_class == OP_STORE)
    store_lines(l1, access);
  else if (access->op_class == OP_LOAD && memory->writes.l1_back)
    write_policy_load(&memory->writes, core, l1, access);
  else if (access->op_class == OP_LOAD)
    load_lines(l1, access);
}

/* ---- the beginning of an access ---- */

/* Counts the lines that a load looked up in a cache beside L1. */
static void count_reads(struct sim_counters *c, const struct memory_access *access) {
  uint64_t *const counts[GRAPHICS_KINDS][2] = {
#define X(name) [GRAPHICS_##name] = {&c->name##_accesses, &c->name##_misses},
      GRAPHICS_CACHES(X)
#undef X
  };
  *counts[access->cache][0] += access->transactions;
  *counts[access->cache][1] += access->shared;
}

/* Begins an access whose lines have been set. */
static void begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  struct memory_access *access) {
  const bool store = op_class == OP_STORE;
  struct sim_counters *count = &memory->counters[core].all;
  access->op_class = (uint8_t)op_class;
  access->core = core;
  access->more_line_times = 0;
  access->still_ticks = memory->lsu_tlbs.cores
                            ? lsu_tlbs_translate(&memory->lsu_tlbs, core, access->lines, access->transactions, count)
                            : 0;
  l1_use(memory, core, access);
  if (op_class == OP_LOAD && access->cache != GRAPHICS_none) {
    count_reads(count, access);
  } else if (op_class == OP_LOAD) {
    count->l1_accesses += access->transactions;
    count->l1_misses += access->shared;
  }
  count->l1_write_backs += access->evicted;
  access->store_ticks = store ? memory_times_waited(memory, access->transactions) * memory->store_ticks : 0;
  access->l1_ticks = store ? 0 : memory_times_waited(memory, access->transactions) * memory->l1_ticks;
  access->l2_ticks = store ? 0 : memory_times_waited(memory, access->shared) * memory->l2_ticks;
  access->dram_ticks = access->atomic_ticks = access->translation_ticks = 0;
  access->missed = 0;
}

static void begin_atomic(struct memory_system *memory, uint32_t core, const struct lane_addresses *lanes,
                         struct memory_access *access) {
  uint32_t *in_line = access->lines + access->transactions;
  uint32_t rounds = atomics_count(&memory->parts.line, &memory->round, lanes, memory->coalesce, access->lines,
                                  access->transactions, in_line);
  access->words = 2 * access->transactions;
  access->atomic_ticks = rounds * memory->atomic_ticks;
  memory->counters[core].all.atomics += lanes->count;
  memory->counters[core].all.atomic_rounds += rounds;
}

void memory_begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  const struct lane_addresses *lanes, struct memory_access *access) {
  begin(memory, core, op_class, access);
  if (op_class == OP_ATOMIC)
    begin_atomic(memory, core, lanes, access);
  if (op_class == OP_STORE && memory->partial.on)
    partial_writes_begin(&memory->partial, lanes, memory_begins(memory, access), access);
}

void memory_begin_range(struct memory_system *memory, uint32_t core, enum trace_op_class op_class, uint32_t low,
                        uint32_t high, struct memory_access *access) {
  access->transactions = high - low + 1;
  for (uint32_t i = 0; i < access->transactions; i++)
    access->lines[i] = (low + i) >> memory->parts.pieces_shift;
  memory_one_part(memory, access);
  begin(memory, core, op_class, access);
}
