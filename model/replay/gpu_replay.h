/* The replay of a whole GPU: work-groups on cores, warps on execution engines, events in order of time.
 *
 * The exact order (docs/model.md): at each time a core first completes everything that ends, then takes new
 * work-groups, then gives ready warps, first in first out (by the time they became ready, then by age), to free
 * execution engines; it repeats that while something ends at the same time. Shared resources (L2, the queue of
 * work-groups) are used in order of (time, core). A core runs ahead of the others until it needs an answer that it does
 * not have (model/replay/l2_order.h), which does not change the order. Cost: O(1) for each event while a core has few
 * execution engines. Memory: resident warps. Threads: model/replay/parallel_replay.h. */
#ifndef MODEL_GPU_REPLAY_H
#define MODEL_GPU_REPLAY_H

#include "model/replay/hooks.h"
#include "model/replay/recorded/recorded_events.h"
#include "model/memory/memory_hierarchy.h"
#include "model/warp/warp.h"

struct replay_result {
  struct sim_counters counters;
  uint64_t ticks;                           /* time at which the last event ended */
  uint64_t (*core_stacks)[SIM_STACK_COUNT]; /* [cores]: ticks of the core's execution engines */
  uint64_t (*op_ticks)[SIM_STACK_COUNT];    /* [op_count]: busy ticks of memory operations and barriers */
  uint64_t events;                          /* events that execution engines began */
  uint64_t run_slots;                       /* issue slots of all warps, in 1/1024; saturates */
  struct queue_ticks queues;
  struct replay_estimate {
    bool estimated;      /* whether a listener stopped the replay; otherwise the whole launch was replayed */
    double share, bound; /* share of its work that was replayed; |ticks - exact| <= bound * ticks */
  } estimate;
};

struct core_record;
struct core_records;
struct one_core_launch;

struct replay_options {
  struct replay_hooks hooks;
  const struct one_core_launch *one_core; /* core 0 is replayed in place of all (one_core.h); NULL: all are */
  struct core_records *records;           /* cores are recorded here (core_alone.h), with one thread; NULL: none is */
  const struct core_record *alone;        /* only this recorded core is replayed, with its answers; NULL: all are */
  uint32_t threads;                       /* largest number of threads, 0 is 1; the result does not depend on it */
};

/* Replays a launch. The caller passes a zeroed result and frees it with replay_result_clear in any case. */
int gpu_replay_run(const struct warp_context *context, const struct gpu_spec *spec,
                   const struct replay_options *options, struct replay_result *result, struct error *error);
void replay_result_clear(struct replay_result *result);

/* The times of a recorded launch whose events cost what is given. */
struct recorded_timing {
  uint64_t ticks;                  /* time at which the last event ended */
  tick_sum stack[SIM_STACK_COUNT]; /* engines without work or held by queues; busy time is in the costs */
  struct queue_ticks queues;
  uint64_t *core_ticks; /* [cores]: time at which the core's last event ended; NULL: not wanted */
};

#define REPLAY_ALL_CORES UINT32_MAX

/* Replays a recorded launch under the memory policy blocking or switch_on_access, and adds to out->stack. `only` is the
 * one core that is replayed, or REPLAY_ALL_CORES. One core may be replayed alone where the dispatch order assigns
 * work-groups to cores and the memory policy is blocking; its queues then wait as if each other core sent what it
 * sends. Returns false when out of memory, or if the launch takes more than MAX_TICKS. */
bool gpu_replay_time(const struct recorded_launch *launch, const struct gpu_spec *spec, uint32_t only,
                     struct recorded_timing *out);

#endif
