/* The replay itself: work-groups on cores, warps on execution engines, events in order of time.
 *
 * Order, exactly (docs/model.md): at each time a core first completes everything that ends, then takes new work-groups,
 * then gives ready warps, first in first out (by the time they became ready, then by age), to free execution engines;
 * it repeats that while something ends at the same time. What cores share (L2, the queue of work-groups) is used in
 * order of (time, core). A core runs ahead of the others until it needs an answer that it does not have
 * (model/replay/l2_order.h), which does not change the order. Cost: O(1) per event while a core has few execution
 * engines. Memory: resident warps. Threads: model/replay/parallel_replay.h. */
#ifndef MODEL_GPU_REPLAY_H
#define MODEL_GPU_REPLAY_H

#include "model/replay/hooks.h"
#include "model/replay/recorded/recorded_events.h"
#include "model/memory/memory_hierarchy.h"
#include "model/warp/warp.h"

struct replay_result {
  struct sim_counters counters;
  uint64_t ticks;                           /* when the last event ended */
  uint64_t (*core_stacks)[SIM_STACK_COUNT]; /* [cores]: ticks of the core's execution engines */
  uint64_t (*op_ticks)[SIM_STACK_COUNT];    /* [op_count]: busy ticks of memory operations and barriers */
  uint64_t events;                          /* that execution engines began */
  uint64_t run_slots;                       /* issued by all warps, 1/1024 slot; saturates */
  struct queue_ticks queues;
  struct replay_estimate {
    bool estimated;      /* by a listener that stopped the replay; else all of the launch was replayed */
    double share, bound; /* of its work that was replayed; |ticks - exact| <= bound * ticks */
  } estimate;
};

struct one_core_launch;

struct replay_options {
  struct replay_hooks hooks;
  const struct one_core_launch *one_core; /* core 0 is replayed in place of all (one_core.h); NULL: all are */
  uint32_t threads;                       /* at most, 0 as 1; the result is the same */
};

/* The caller passes zeroed results and frees them with replay_result_clear in any case. */
int gpu_replay_run(const struct warp_context *context, const struct gpu_spec *spec,
                   const struct replay_options *options, struct replay_result *result, struct error *error);
void replay_result_clear(struct replay_result *result);

/* The same of a recorded launch: when its events come, given what each costs. */
struct recorded_timing {
  uint64_t ticks;                  /* when the last event ended */
  tick_sum stack[SIM_STACK_COUNT]; /* of execution engines without work or held by queues; busy time is in the costs */
  struct queue_ticks queues;
  uint64_t *core_ticks; /* [cores]: when the core's last event ended; NULL: not asked for */
};

#define REPLAY_ALL_CORES UINT32_MAX

/* `only`: the one core to be replayed, where cores have work-groups of their own (dispatch order) and the memory policy
 * is blocking; what queues then waits as if the other cores sent what it sends. Or REPLAY_ALL_CORES. The memory policy
 * is blocking or switch_on_access. Adds to out->stack. Returns false when memory has run out, or the launch takes more
 * than MAX_TICKS. */
bool gpu_replay_time(const struct recorded_launch *launch, const struct gpu_spec *spec, uint32_t only,
                     struct recorded_timing *out);

#endif
