/* One shader core: resident work-groups, ready warps, execution engines. Private to the replay. */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include <stdatomic.h>

#include "model/replay/core_ports.h"
#include "model/isa/engine_pipes.h"
#include "model/policy/dispatch.h"
#include "model/replay/gpu_replay.h"
#include "model/replay/recorded/core_alone.h"
#include "model/replay/recorded/recorded_l2.h"
#include "model/replay/outstanding_accesses.h"
#include "model/fetch/instruction_cache.h"
#include "model/memory/lsu.h"
#include "model/replay/hooks.h"
#include "model/replay/one_core.h"
#include "model/policy/scheduler.h"
#include "model/policy/time_heap.h"

/* The mechanisms that are on, as far as the replay loop asks. They are constants in each instance of the loop
 * (core.c). */
struct mechanisms {
  bool blocking, dependency; /* memory policy; neither: switch_on_access */
  bool queued;               /* something on the way to L2 or behind it is limited */
  bool rare;                 /* tested when the loop runs: other schedulers, hooks that follow events */
  bool recorded;             /* events come from lists, costs from tables (recorded_events.h) */
  bool wide;                 /* recorded: the lists' events have two bytes */
};

/* A warp of a recorded launch, by its age. */
struct recorded_warp {
  uint64_t next;  /* index of its next event in its list */
  uint32_t place; /* its place on the core */
};

struct resident_warp {
  _Alignas(64) struct warp warp; /* most events need one cache line of it; recorded: only warp.rank is used */
  /* switch_on_access: ticks that the warp waits after its access was issued; CORE_UNKNOWN: not known yet */
  uint64_t latency;
  uint32_t group_place;
  uint8_t waits; /* enum stack_component that the latency counts as */
  bool at_barrier;
  bool unknown;                        /* the warp waits for an access whose end is not known yet */
  bool admitted;                       /* its access counts among the core's outstanding ones */
  uint64_t pipes_end;                  /* time at which the pipes have served its last run */
  struct outstanding_list outstanding; /* used under `dependency` */
};

struct resident_group {
  uint32_t group;         /* index in trace.groups */
  uint32_t live, waiting; /* warps that have not ended; number of those that wait at the barrier */
  bool taken;
};

struct ready_entry {
  uint64_t since, rank;
};

struct engine_use {
  uint64_t end; /* CORE_UNKNOWN: when its access ends */
  uint32_t warp;
};

#define CORE_UNKNOWN   UINT64_MAX /* a time later than any other */
#define CORE_RUN_AHEAD 1024       /* accesses that a core may send before they are served */

/* Sums over the events of one core. */
struct core_sums {
  uint64_t events;    /* events that its execution engines began */
  uint64_t run_slots; /* issue slots of runs, in 1/1024; saturates */
  uint64_t work;      /* work begun by its warps: issue slots of each of their work-items */
};

/* The keys of the busy fast path (busy_fast_path.h) have the ticks since it began, then this many bits of a warp's
 * rank. */
#define CORE_KEY_RANK_BITS 36
#define CORE_FAR_TICKS     (UINT64_C(1) << (62 - CORE_KEY_RANK_BITS))

enum core_stage { CORE_COMPLETE, CORE_DISPATCH, CORE_FINISHED };

struct core {
  _Alignas(64) uint64_t now, accounted; /* cores share no cache line of the host */
  uint64_t position;                    /* while the core is stopped: the time before which it does nothing */
  uint64_t horizon;                     /* time from which the answer to an access that is not served may be needed */
  enum core_stage stage;
  uint32_t id;
  const struct warp_context *context;
  struct sim_counters *counters; /* the core's counters in memory_system; NULL in recorded launches */
  struct engine_use *engines;    /* [execution_engines]: the `busy` ones in descending order of end; [-1] never ends */
  uint32_t busy;
  uint64_t *keys;            /* [execution_engines], keys of the busy fast path */
  uint32_t unknown_waits;    /* warps that wait for L2 or memory, not known yet for which */
  struct ready_entry *ready; /* ring */
  uint32_t ready_mask, ready_head, ready_count;
  uint32_t pushed;                       /* accesses sent since the loop began to run the core */
  struct resident_warp *warps;           /* [places of work-groups * warps of a work-group] */
  uint32_t waiting[SIM_STACK_COUNT];     /* by component: number of warps (launch: work-groups) that wait for it */
  uint64_t (*op_ticks)[SIM_STACK_COUNT]; /* [op_count]: busy ticks of memory operations and barriers */
  uint64_t stack[SIM_STACK_COUNT];       /* the core's ticks by component, without op_ticks until the end */
  struct core_sums sums;
  struct memory_access access;
  struct lsu lsu;
  struct core_ports ports;
  uint64_t *pipes_free;       /* engine_pipes.h; NULL, as the next one: the GPU has no pipes */
  struct pipe_uses *uses;     /* [warps]: of the run of each */
  struct time_queue sleepers; /* ids: numbers of warps */
  struct time_heap arrivals;  /* ids: places of work-groups */
  struct outstanding_limit limit;
  struct outstanding_access *outstanding; /* dependency: accesses of all warps */
  struct warp_view last;                  /* the warp that an engine took last */
  struct resident_group *groups;          /* [places of work-groups] */
  struct dispatch_range range;            /* range of an order that assigns work-groups to each core */
  uint32_t free_places;
  uint64_t dispatch_free; /* time until which the dispatcher is busy */
  uint64_t next_age;
  uint64_t *ready_moments; /* recorded: replaces `ready`, with moments (recorded_warps.h) ... */
  uint16_t *ready_numbers; /* ... and with the classes of the events that begin */
  struct recorded_warp *recorded;
  uint32_t recorded_capacity;
  uint64_t port_free[PORT_COUNT]; /* recorded: time from which each port is free */
};

struct gpu_replay {
  const struct warp_context *context;
  const struct trace *trace;
  const struct gpu_spec *spec;
  struct replay_hooks hooks;
  struct replay_result *result;
  uint32_t threads;                                          /* largest number of threads */
  void (*run)(struct gpu_replay *replay, struct core *core); /* the instance of the replay loop */
  struct memory_system memory;
  struct instruction_fetch fetch;
  struct pipe_rates pipes;
  struct core *cores;
  uint32_t group_count, core_count, group_places, warps_per_group, execution_engines;
  unsigned index_bits;  /* bits of a rank that hold the warp's place */
  bool busy_path;       /* whether busy_fast_path.h applies, to runs of at least */
  uint64_t least_slots; /* this many slots, in 1/1024 */
  const struct dispatch_order_ops *order;
  const struct scheduler_ops *scheduler;
  struct dispatch_range range; /* range of an order with one queue */
  struct dispatch_homes homes; /* of a launch that ties its work-groups to cores */
  uint64_t launch_ticks, work_group_ticks, barrier_ticks;
  uint64_t transaction_slots; /* price of issuing a transaction on an engine, in 1/1024 issue slot */
  uint64_t transaction_ticks; /* the same price in ticks */
  uint64_t spill_share;       /* share of the operations' values that are spilled, in 2^-20 (model/isa/spill.h) */
  uint64_t spill_pass_ticks;  /* ticks of one of their accesses on the pipe of the load/store unit */
  uint64_t arith;             /* cycles of a slot, in 2^-20 */
  uint64_t local_stride, private_stride;
  bool ports_on, shared_caches; /* graphics_caches_are_shared */
  char *divergent;              /* memory of divergent warps, NULL when no warp diverges */
  size_t divergent_bytes;
  uint32_t *counters;
  /* Position of the second core: before it, the first one may take from the common queue of work-groups. */
  struct time_entry next_core;
  atomic_bool too_long, no_memory;        /* either stops the replay; any core may set them */
  uint64_t until;                         /* no core continues beyond this time without hooks.stop */
  uint64_t most_ticks;                    /* a launch that takes longer stops the replay (too_long) */
  const struct recorded_launch *recorded; /* NULL: warps walk through the trace */
  struct recorded_l2 recorded_l2;
  uint32_t *no_lines;           /* lines of recorded accesses, which are not known: zeros */
  uint32_t only;                /* the only core that is replayed, or REPLAY_ALL_CORES */
  struct one_core one_core;     /* with a launch: core 0 represents all cores */
  struct core_records *records; /* NULL: no core is recorded */
  struct core_alone alone;      /* with a record: only the recorded core is replayed */
};

/* Returns whether the core is replayed. */
static inline bool replay_has_core(const struct gpu_replay *replay, uint32_t core) {
  return replay->only == REPLAY_ALL_CORES || replay->only == core;
}

/* Returns the replay loop for the mechanisms of this spec; `rare` says that something is on that the spec does not
 * tell. The loop runs a core until it is finished, needs an answer that it does not have, or must wait for its turn at
 * the queue of work-groups. */
void (*core_loop(const struct gpu_spec *spec, bool rare))(struct gpu_replay *replay, struct core *core);
/* Returns the replay loop for a recorded launch, under the memory policies blocking and switch_on_access. */
void (*core_recorded_loop(const struct gpu_spec *spec, bool wide))(struct gpu_replay *replay, struct core *core);
/* Decides whether the busy fast path applies to this replay, and prepares it. */
void core_choose_busy_path(struct gpu_replay *replay);
/* Prepares a core. `lines` is the largest number of transactions of an access, `most_bytes` the largest access of one
 * work-item. Returns false when out of memory; core_clear must be called in any case. */
bool core_init(struct gpu_replay *replay, uint32_t id, uint32_t lines, uint32_t most_bytes);
void core_clear(struct core *core);
/* Attributes the time of idle execution engines up to `time`. */
void core_account(struct gpu_replay *replay, struct core *core, uint64_t time);
/* Adds the counts so far to `out`, whose arrays are allocated. For a launch whose core 0 represents all (one_core.h),
 * the counts at L2 are left out. */
void replay_counts_add(const struct gpu_replay *replay, struct replay_result *out);
/* Makes a copy of the counts so far, which must be cleared in any case. Returns false when out of memory. */
bool replay_counts_copy(const struct gpu_replay *replay, struct replay_result *out);
void core_give_group(struct gpu_replay *replay, struct core *core, uint32_t group);

static inline struct dispatch_range *core_range(struct gpu_replay *replay, struct core *core) {
  return replay->order->own ? &core->range : &replay->range;
}

/* ---- functions that the parts of the loop share ---- */

/* Sanitized builds have one copy of the loop instead of one for each setting: they compile ten times faster, and their
 * speed does not matter. */
#ifdef REASSEMBLE_SANITIZED
#define CORE_INLINE static inline
#else
#define CORE_INLINE static inline __attribute__((always_inline))
#endif

/* Returns the place of a warp on its core. A rank is the warp's age (its number in the order of starts on the core),
 * then its place, so that comparing ranks is comparing ages. The ring of ready warps has at least as many entries as
 * there are warps, so that its mask covers a place. */
CORE_INLINE uint32_t core_place_of(const struct core *core, uint64_t rank) {
  return (uint32_t)rank & core->ready_mask;
}

/* Adds a warp to the ready ones, which are sorted by (time of becoming ready, age). Only warps that became ready at the
 * same time can be out of order. */
CORE_INLINE void core_push_ready(struct core *core, uint64_t rank) {
  uint32_t at = core->ready_head + core->ready_count++;
  while (at != core->ready_head) {
    const struct ready_entry *before = &core->ready[(at - 1) & core->ready_mask];
    if (before->since < core->now || before->rank < rank)
      break;
    core->ready[at-- & core->ready_mask] = *before;
  }
  core->ready[at & core->ready_mask] = (struct ready_entry){core->now, rank};
}

CORE_INLINE uint32_t core_take_ready(struct core *core) {
  core->ready_count--;
  return core_place_of(core, core->ready[core->ready_head++ & core->ready_mask].rank);
}

/* Makes the warp sleep until `time`. The wait belongs to component `waits` (enum stack_component). */
static inline void core_sleep_until(struct core *core, uint32_t index, uint64_t time, uint8_t waits) {
  core->warps[index].waits = waits;
  core->waiting[waits]++;
  time_queue_push(&core->sleepers, (struct time_entry){time, index});
}

static inline uint64_t core_sooner(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Makes a free engine busy with the warp until `end`. */
CORE_INLINE void core_occupy(struct core *core, uint32_t warp, uint64_t end) {
  struct engine_use *at = core->engines + core->busy++;
  for (; at[-1].end < end; at--)
    *at = at[-1];
  *at = (struct engine_use){end, warp};
}

CORE_INLINE void core_charge(struct core *core, uint32_t op, enum stack_component to, uint64_t ticks) {
  core->op_ticks[op][to] += ticks;
}

/* Adds to the slots that warps issue: those of its whole path when a uniform warp starts; of a divergent warp, as it
 * runs. */
static inline void core_add_slots(struct core *core, uint64_t slots) {
  if (__builtin_add_overflow(core->sums.run_slots, slots, &core->sums.run_slots))
    core->sums.run_slots = UINT64_MAX;
}

/* Returns core_slots_ticks of any number of slots. It is not inline, because runs seldom have 2^31 or more. */
uint64_t core_many_slots_ticks(const struct gpu_replay *replay, uint64_t slots);

/* Returns the ticks of `slots` issue slots, in 1/1024. replay->arith is below 2^32. */
CORE_INLINE uint64_t core_slots_ticks(const struct gpu_replay *replay, uint64_t slots) {
  return slots >> 31 == 0 ? (slots * replay->arith + (1 << 19)) >> 20 : core_many_slots_ticks(replay, slots);
}

/* Returns the number of a resident warp among those of all cores. */
static inline uint64_t core_resident(const struct gpu_replay *replay, const struct core *core,
                                     const struct resident_warp *warp) {
  return (uint64_t)core->id * replay->group_places * replay->warps_per_group + (uint64_t)(warp - core->warps);
}

#endif
