/* Caches and latencies: what one warp access costs.
 *
 * Loads look L1 up, and L2 for the lines that missed. Stores are written through: they refresh a line that L1 holds
 * but allocate none, and allocate in L2; model/memory/write_policy.h has the other policies. Atomics bypass L1. A
 * disabled cache misses always. An access has two halves so that cores may run ahead of each other: memory_begin
 * touches only the core's own L1; memory_finish, in the order of time over the whole GPU, the shared L2. Latency,
 * summed over the access's transactions: store_cycles for a store; else l1_hit_cycles, plus l1_miss_cycles behind L1,
 * plus l2_miss_cycles behind L2. */
#ifndef MODEL_MEMORY_HIERARCHY_H
#define MODEL_MEMORY_HIERARCHY_H

#include <stdint.h>

#include "model/memory/atomics.h"
#include "model/cache/graphics_caches.h"
#include "model/cache/cache.h"
#include "model/warp/access_parts.h"
#include "model/result/counters.h"
#include "model/result/cycle_stack.h"
#include "model/params/gpu.h"
#include "model/memory/l2_slice.h"
#include "model/memory/lsu_tlb.h"
#include "model/memory/tlb.h"
#include "model/memory/write_policy.h"
#include "trace/trace.h"

struct memory_system {
  struct access_parts parts;
  bool coalesce;
  uint32_t range_bytes; /* of a work-item's access at most, for memory_begin_range; 0: never */
  struct cache **l1;    /* [cores], NULL: disabled */
  struct graphics_caches graphics;
  uint32_t cores;
  struct cache *l2; /* NULL: disabled */
  uint64_t store_ticks, l1_ticks, l2_ticks, dram_ticks;
  bool overlapped;                /* transactions of an access: the longest counts, not their sum */
  uint64_t atomic_ticks;          /* of a round, see model/memory/atomics.h */
  struct core_counters *counters; /* [cores] */
  struct sim_counters shared;     /* counted at L2 */
  struct write_policy writes;
  struct tlb tlb;
  struct lsu_tlbs lsu_tlbs;
  /* L1 may be looked up in short (l1_level.h): it has lines, misses none that it holds, and nothing comes before it */
  bool plain_hits;
  struct l2_slices slices; /* used when accesses queue */
  uint64_t *comes;         /* when accesses queue: [lines of an access] */
};

/* What the latency of an access is made of; X(part) makes part_ticks of struct memory_access, and is charged to the
 * component of the cycle stack of that name. MEMORY_LEVELS: from the nearest level to the furthest one; a warp waits
 * for the furthest that adds anything. MEMORY_EXTRAS: a warp waits for one of them where it takes longer than all
 * else. */
#define MEMORY_LEVELS(X) X(store) X(l1) X(l2) X(dram)
#define MEMORY_EXTRAS(X) X(atomic) X(translation)
#define MEMORY_PARTS(X)  MEMORY_LEVELS(X) MEMORY_EXTRAS(X)

/* One access under way. `lines`: its own, then what it carries along: those it fetches into L1 for stores, those it
 * pushes out; or, of an atomic, how many operations each of its lines has, then how many rounds. Room:
 * memory_access_room. */
struct memory_access {
  uint32_t transactions;
  uint32_t shared;           /* of them go to L2: the first `shared` of `lines` */
  uint32_t missed;           /* of those, not found there; set by memory_finish */
  uint32_t words;            /* in use behind the transactions */
  uint32_t fetched, evicted; /* of these: lines that go to L2 as well, to be read and to be written */
  uint8_t op_class;          /* OP_LOAD, OP_STORE, OP_ATOMIC */
  uint8_t cache;             /* enum graphics_cache: takes the place of L1; set before memory_begin */
  uint32_t core;
  uint32_t *lines;
  uint64_t still_ticks; /* for which the load/store unit stands still for its translation */
#define X(part) uint64_t part##_ticks;
  MEMORY_PARTS(X)
#undef X
};

/* Returns the entries of memory_access.lines for so many transactions. */
static inline uint32_t memory_access_room(uint32_t transactions) {
  return 3 * transactions;
}

/* Returns whether anything of the access goes to L2. */
static inline bool memory_goes_on(const struct memory_access *access) {
  return (access->shared | access->fetched | access->evicted) > 0;
}

/* Returns how often the latency of a level counts in an access of which so many transactions reach the level. */
static inline uint32_t memory_times_waited(const struct memory_system *memory, uint32_t transactions) {
  return memory->overlapped && transactions > 1 ? 1 : transactions;
}

/* `access_lines` is the largest number of transactions of an access. */
int memory_init(struct memory_system *memory, const struct gpu_spec *spec, uint32_t access_lines, struct error *error);
void memory_clear(struct memory_system *memory);

/* Finds the lines of an access, one per transaction. Atomics are not divided into parts. */
static inline void memory_lines(const struct memory_system *memory, enum trace_op_class op_class,
                                struct lane_addresses *lanes, struct memory_access *access) {
  const struct line_size *line = &memory->parts.line;
  access->transactions = lanes->row_bytes && op_class != OP_ATOMIC
                             ? access_parts_interleaved(&memory->parts, lanes, memory->coalesce, access->lines)
                         : !memory->coalesce     ? coalesce_off_lines(line, lanes, access->lines)
                         : op_class == OP_ATOMIC ? coalesce_lines(line, lanes, access->lines)
                                                 : access_parts_lines(&memory->parts, lanes, access->lines);
}

/* Begins an access that has the lines of these lanes: L1 brings those that go on to L2 to the front. */
void memory_begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  const struct lane_addresses *lanes, struct memory_access *access);
/* The same for all pieces of lines from `low` to `high`, of an access that is one part; not for atomics. */
void memory_begin_range(struct memory_system *memory, uint32_t core, enum trace_op_class op_class, uint32_t low,
                        uint32_t high, struct memory_access *access);
/* Uses one line at L2, which is all that memory_finish and memory_serve change of what L2 holds. Returns what
 * follows. */
struct l2_outcome memory_use_l2(struct memory_system *memory, uint32_t line, enum l2_use use);
/* Does what an access does at L2 and behind it: hits, latencies, counters. */
void memory_finish(struct memory_system *memory, struct memory_access *access);

/* Returns whether local and global accesses pass one pipe. */
static inline bool memory_pipe_is_shared(const struct gpu_spec *spec) {
  return spec->scratchpad_shares_pipe && spec->local_memory == LOCAL_SCRATCHPAD;
}

/* Returns the ticks that an instruction takes the shared pipe at least: its load/store units serve so many lanes a
 * cycle. */
static inline uint64_t memory_pipe_least(const struct gpu_spec *spec) {
  return memory_pipe_is_shared(spec) ? ticks_per(spec->warp_size, spec->lsu_items_per_cycle) : 0;
}

/* Returns the ticks that an instruction takes the shared pipe beside its passes and transactions. */
static inline uint64_t memory_pipe_more(const struct gpu_spec *spec) {
  return memory_pipe_is_shared(spec) ? cycles_to_ticks(spec->lsu_access_cycles) : 0;
}

/* Returns whether accesses queue: a load/store unit, MSHRs or a bandwidth is limited. Then memory_serve takes the
 * place of memory_finish, at the time when the access arrives at L2. */
bool memory_is_queued(const struct gpu_spec *spec);
/* Returns whether accesses queue on their way to L2 as well: in the load/store unit or between a core and L2. */
bool memory_queues_before_l2(const struct gpu_spec *spec);

struct memory_service {
  uint64_t wait;         /* ticks in the queues at L2 and behind it of the line that waits longest */
  uint64_t merged;       /* when the last line comes that was being fetched already, 0: none */
  const uint64_t *comes; /* [access.shared], of a load: when the lines are in L1; until the next call */
};

struct memory_service memory_serve(struct memory_system *memory, struct memory_access *access, uint64_t time);

static inline uint64_t memory_ticks(const struct memory_access *a) {
#define X(part) +a->part##_ticks
  return 0 MEMORY_PARTS(X);
#undef X
}

#endif
