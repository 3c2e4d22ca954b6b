/* Caches and latencies: the cost of one warp access.
 *
 * Loads look up L1, and L2 for the lines that missed. Stores are written through: they refresh a line that L1 holds but
 * allocate none, and allocate in L2; model/memory/write_policy.h has the other policies. Atomics bypass L1. A disabled
 * cache always misses. An access has two halves, so that cores may run ahead of each other: memory_begin uses only the
 * core's own L1; memory_finish, in the order of time over the whole GPU, the shared L2. The latency, summed over the
 * access's transactions, is store_cycles for a store; else l1_hit_cycles, plus l1_miss_cycles behind L1, plus
 * l2_miss_cycles behind L2. */
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
#include "model/memory/partial_writes.h"
#include "model/ports/texture_unit.h"
#include "model/memory/tlb.h"
#include "model/memory/write_policy.h"
#include "trace/trace.h"

/* The service of a line at L2, which recordings keep (model/replay/recorded/core_alone.h). */
struct line_served {
  uint64_t begins;   /* time at which the line is served, behind all queues */
  uint64_t merged;   /* time at which it comes, if it was being fetched already; else 0 */
  uint64_t executed; /* ticks from its arrival to the last of its atomic operations */
  bool read;         /* whether it comes from memory */
};

struct memory_system {
  struct access_parts parts;
  bool coalesce;
  uint32_t access_lines; /* largest number of transactions of an access */
  uint32_t tag_shift;    /* log2 of the lines of a tag */
  uint32_t range_bytes;  /* largest access of a work-item for memory_begin_range; 0: the function does not apply */
  struct cache **l1;     /* [cores], NULL: disabled */
  struct graphics_caches graphics;
  uint32_t cores;
  struct cache *l2; /* NULL: disabled */
  uint64_t store_ticks, l1_ticks, l2_ticks, dram_ticks;
  bool overlapped;        /* the latency of an access is that of its longest transaction, not their sum */
  uint64_t atomic_ticks;  /* ticks of a round, see model/memory/atomics.h */
  struct line_size round; /* piece of a line of a round */
  struct merged_atomics merged;
  struct texture_unit texels;
  bool reads_by_name;             /* whether an operation of the launch uses a cache of `graphics`, or `texels` */
  struct core_counters *counters; /* [cores] */
  struct sim_counters shared;     /* counted at L2 */
  struct write_policy writes;
  bool touch_suffices; /* a line of L2 that has just been touched stays as it is when it is used */
  struct partial_writes partial;
  struct tlb tlb;
  struct lsu_tlbs lsu_tlbs;
  /* True where the short path of l1_level.h may look L1 up: L1 has lines, never misses one that it holds, and nothing
   * precedes it. */
  bool plain_hits;
  struct l2_slices slices; /* used when accesses queue */
  uint64_t *comes;         /* when accesses queue: [lines of an access], times at which the lines arrive */
  /* The services of the access that came last: of its own lines, then, when accesses queue, of those that it fetches
   * into L1. Without queues only `read` is set. */
  struct line_served *served;
};

/* The parts of the latency of an access. X(part) becomes part_ticks of struct memory_access, and is charged to the
 * component of the cycle stack of that name. MEMORY_LEVELS are ordered from the nearest level to the furthest one; a
 * wait is charged to the furthest level that adds anything. MEMORY_EXTRAS: a wait is charged to one of them if it takes
 * longer than all else. */
#define MEMORY_LEVELS(X) X(store) X(l1) X(l2) X(dram)
#define MEMORY_EXTRAS(X) X(atomic) X(translation)
#define MEMORY_PARTS(X)  MEMORY_LEVELS(X) MEMORY_EXTRAS(X)

/* One access under way. `lines` holds its own lines, then those that it carries along: lines that it fetches into L1
 * for stores, and lines that it evicts. For an atomic it holds, behind the own lines, the number of operations of each
 * line, then the number of rounds; for a store with partial_writes, the bytes that it writes of each line, then the
 * time that each line takes at L2, in times of a line. Until it has begun, memory_begins lie behind. Its length is
 * memory_access_room. */
struct memory_access {
  uint32_t transactions;
  uint32_t passes;           /* transactions of the load/store unit: lines of a part that share a tag are one */
  uint32_t more_line_times;  /* times of a line that it takes at L2, beside one for each of its lines */
  uint32_t shared;           /* lines that go to L2: the first `shared` of `lines` */
  uint32_t missed;           /* lines of those that L2 did not hold; set by memory_finish */
  uint32_t words;            /* entries of `lines` in use behind the transactions */
  uint32_t fetched, evicted; /* these entries are lines that go to L2 as well, to be read and to be written */
  uint8_t op_class;          /* OP_LOAD, OP_STORE, OP_ATOMIC */
  uint8_t cache;             /* enum graphics_cache, in place of L1; set before memory_begin */
  uint32_t core;
  uint32_t *lines;
  uint64_t still_ticks; /* ticks for which the translation and the texture unit block the load/store unit */
#define X(part) uint64_t part##_ticks;
  MEMORY_PARTS(X)
#undef X
};

/* Returns the length of memory_access.lines for `transactions` transactions. */
static inline uint32_t memory_access_room(uint32_t transactions) {
  return 4 * transactions;
}

/* Returns whether any line of the access goes to L2. */
static inline bool memory_goes_on(const struct memory_access *access) {
  return (access->shared | access->fetched | access->evicted) > 0;
}

/* Returns how often the latency of a level counts for an access of which `transactions` transactions reach the
 * level. */
static inline uint32_t memory_times_waited(const struct memory_system *memory, uint32_t transactions) {
  return memory->overlapped && transactions > 1 ? 1 : transactions;
}

/* Prepares the memory system. `access_lines` is the largest number of transactions of an access. */
int memory_init(struct memory_system *memory, const struct gpu_spec *spec, uint32_t access_lines, struct error *error);
/* Prepares the memory system of one core: other cores have no L1, and there is no L2. */
int memory_init_core(struct memory_system *memory, const struct gpu_spec *spec, uint32_t core, uint32_t access_lines,
                     struct error *error);
void memory_clear(struct memory_system *memory);

/* Returns the marks of the lines of an access that begins: whether each begins a transaction of the load/store unit.
 * They are set where lines share tags. */
static inline uint32_t *memory_begins(const struct memory_system *memory, const struct memory_access *access) {
  return access->lines + memory_access_room(memory->access_lines) - memory->access_lines;
}

/* Marks an access whose lines are one part. */
static inline void memory_one_part(const struct memory_system *memory, struct memory_access *access) {
  access->passes =
      access_mark_begins(&memory->parts, access->lines, access->transactions, memory_begins(memory, access));
}

/* Finds the lines of an access, one per transaction, and marks the transactions of the load/store unit. Atomics are not
 * divided into parts. */
static inline void memory_lines(const struct memory_system *memory, enum trace_op_class op_class,
                                struct lane_addresses *lanes, struct memory_access *access) {
  const struct line_size *line = &memory->parts.line;
  const bool atomic = op_class == OP_ATOMIC, interleaved = lanes->word_stride_bytes && !atomic;
  if (memory->coalesce && !atomic && !interleaved) {
    access->transactions =
        access_parts_lines(&memory->parts, lanes, access->lines, memory_begins(memory, access), &access->passes);
    return;
  }
  access->transactions = interleaved ? access_parts_interleaved(&memory->parts, lanes, memory->coalesce, access->lines)
                         : memory->coalesce ? coalesce_lines(line, lanes, access->lines)
                                            : coalesce_off_lines(line, lanes, access->lines);
  memory_one_part(memory, access);
}

/* Begins an access to the lines of these lanes: L1 moves those that go on to L2 to the front. */
void memory_begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  const struct lane_addresses *lanes, struct memory_access *access);
/* Begins an access to all pieces of lines from `low` to `high`, which is one part and not an atomic. */
void memory_begin_range(struct memory_system *memory, uint32_t core, enum trace_op_class op_class, uint32_t low,
                        uint32_t high, struct memory_access *access);
/* Uses one line at L2. This function and memory_finish alone change the lines of L2. `bytes`: those that a store
 * writes, with partial_writes. Returns what follows from the use. */
struct l2_outcome memory_use_l2(struct memory_system *memory, uint32_t line, enum l2_use use, uint32_t bytes);
/* Completes an access at L2 and memory: hits, latencies, counters. */
void memory_finish(struct memory_system *memory, struct memory_access *access);
/* Completes an access like memory_finish, where L2 is not binomial_sets and holds all of its lines, which have just
 * been touched in their order, so that using them changes nothing. Returns false, with nothing changed, where more than
 * the lines may change. */
bool memory_finish_held(struct memory_system *memory, struct memory_access *access);

/* Returns whether local and global accesses pass one pipe. */
static inline bool memory_pipe_is_shared(const struct gpu_spec *spec) {
  return spec->scratchpad_shares_pipe && spec->local_memory == LOCAL_SCRATCHPAD;
}

/* Returns the least ticks that an instruction occupies the shared pipe, from the lanes that its load/store units serve
 * in a cycle. */
static inline uint64_t memory_pipe_least(const struct gpu_spec *spec) {
  return memory_pipe_is_shared(spec) ? ticks_per(spec->warp_size, spec->lsu_items_per_cycle) : 0;
}

/* Returns the ticks that an instruction occupies the shared pipe in addition to its passes and transactions. */
static inline uint64_t memory_pipe_more(const struct gpu_spec *spec) {
  return memory_pipe_is_shared(spec) ? cycles_to_ticks(spec->lsu_access_cycles) : 0;
}

/* Returns whether accesses queue because a load/store unit, MSHRs or a bandwidth is limited. memory_serve then replaces
 * memory_finish, at the time when the access arrives at L2. */
bool memory_is_queued(const struct gpu_spec *spec);
/* Returns whether accesses also queue on their way to L2: in the load/store unit or between a core and L2. */
bool memory_queues_before_l2(const struct gpu_spec *spec);

struct memory_service {
  uint64_t wait;         /* ticks in the queues at L2 and behind it, of the line that waits longest */
  uint64_t merged;       /* time at which the last line arrives that was being fetched already, 0: none */
  const uint64_t *comes; /* [access.shared], of a load: times at which the lines are in L1; valid until the next call */
};

struct memory_service memory_serve(struct memory_system *memory, struct memory_access *access, uint64_t time);

static inline uint64_t memory_ticks(const struct memory_access *a) {
#define X(part) +a->part##_ticks
  return 0 MEMORY_PARTS(X);
#undef X
}

#endif
