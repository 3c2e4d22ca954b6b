/* The state of the reference replay: the GPU, its cores, resident work-groups and warps, and the results. */
#ifndef SUPPORT_REFERENCE_GPU_H
#define SUPPORT_REFERENCE_GPU_H

#include "model/simulate.h"
#include "reference_cache.h"
#include "reference_queues.h"
#include "reference_warp.h"

enum {
  R_ISSUE,
  R_DIVERGENCE,
  R_PIPE,
  R_STORE,
  R_LSU,
  R_L1,
  R_LOCAL,
  R_UNIFORM,
  R_L2,
  R_DRAM,
  R_BANDWIDTH,
  R_ATOMIC,
  R_TRANSLATION,
  R_BARRIER,
  R_FETCH,
  R_LAUNCH,
  R_IDLE,
  R_COUNT
};

struct reference_result {
  uint64_t ticks, (*stacks)[R_COUNT]; /* [cores] */
  uint64_t l1_accesses, l1_misses, l2_accesses, l2_misses, scratchpad_accesses, scratchpad_passes, uniform_loads,
      instruction_misses, memory_accesses, tlb_accesses, tlb_misses, page_walks;
  uint64_t instructions, item_instructions, atomics, atomic_rounds;
  uint64_t graphics_accesses[4], graphics_misses[4]; /* by cache beside L1 (reference_write_policy.h) */
  uint64_t l1_write_backs, l2_write_backs, l1_l2_read, l1_l2_written, dram_read, dram_written, l2_fills; /* lines */
};

#define UNKNOWN (UINT64_MAX - 1) /* time of an access that has not been served */

enum reference_state { R_ABSENT, R_READY, R_RUNNING, R_SLEEPING, R_PARKED, R_AT_BARRIER, R_DONE };

struct reference_flight { /* an access for which its warp did not wait */
  uint64_t done;
  uint32_t use;
  int waits;
};

struct reference_thread { /* a resident warp */
  struct reference_warp warp;
  enum reference_state state;
  uint32_t at;         /* number of its event */
  uint64_t since, age; /* READY */
  uint64_t until;      /* RUNNING, SLEEPING */
  uint64_t latency;
  int waits;
  bool has_place;
  uint64_t parked;                  /* PARKED: number of warps that were parked before */
  struct reference_flight *flights; /* dependency: all of its accesses, in order */
  uint32_t flight_count;
};

struct reference_group {
  bool taken, arrived;
  uint64_t arrival;
  uint32_t group;
};

struct reference_core {
  struct reference_cache l1, graphics[4];
  struct reference_group *groups;
  struct reference_thread *threads;
  uint64_t dispatch_free, age;
  uint32_t last; /* the thread that was taken last */
  uint64_t last_age;
  struct reference_way way;
  struct reference_cache uniform_cache, instructions, tlb, lsu_tlb;
  uint64_t scratchpad_free, uniform_free;  /* ports */
  uint64_t pipe_free[REFERENCE_PIPES][64]; /* by kind and engine */
  uint64_t *places, parked;                /* [core_accesses_in_flight]: 0: free, else 1 + end of the access */
};

struct reference_line_part { /* a line of L2 of which stores wrote these bytes, and of which nothing was read */
  uint64_t line;
  bool written[32];
};

struct reference_gpu {
  const struct trace *trace;
  const struct isa_profile *isa;
  const struct gpu_spec *spec;
  struct reference_core *cores;
  struct reference_cache l2, l2_tlb;
  struct reference_slice slices[64];
  struct reference_line_part *parts;
  uint32_t part_count;
  bool queued; /* whether accesses queue */
  struct reference_result *result;
  uint32_t slots, warps;
  bool *given; /* [group_count] */
  uint64_t now;
};

static inline uint64_t reference_ticks(double cycles) {
  return (uint64_t)llround(cycles * 1024);
}

static inline uint64_t reference_run_ticks(const struct reference_gpu *g, uint64_t slots) {
  uint64_t arith = (uint64_t)llround(g->spec->arith_cycles * 1048576);
  return (slots * arith + 524288) / 1048576; /* small traces: no overflow */
}

/* Returns the ticks for which an engine issues so many transactions or passes of an access. */
static inline uint64_t reference_issue_ticks(const struct reference_gpu *g, uint64_t transactions) {
  return g->spec->access_issue == ACCESS_ISSUE_INSTRUCTION ? 0 : reference_run_ticks(g, transactions * 1024);
}

#endif
