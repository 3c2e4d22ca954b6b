/* The parts of a recorded replay. Private to retime_record.c, which makes it, and to retime_time.c and
 * many/retime_many.c, which time it. */
#ifndef MODEL_RETIME_PARTS_H
#define MODEL_RETIME_PARTS_H

#include "model/policy/dispatch.h"
#include "model/retime/event_recorder.h"
#include "model/retime/retime_alone.h"
#include "model/retime/retime_record.h"
#include "model/retime/retime_cores.h"
#include "model/retime/retime_sampled.h"

struct retime_recording {
  struct gpu_spec spec;
  struct retime_sampled *sampled; /* a sampled launch; NULL: a whole launch */
  struct retime_alone *alone;     /* a whole launch, by one of its cores; both NULL: the other members are used */
  struct event_lists lists;
  struct event_classes classes;
  struct cache_watch_variants variants;
  bool patterns_on; /* whether the classes have columns of patterns */
  struct recorded_patterns patterns;
  uint32_t group_count, group_places, warps_per_group;
  struct event_columns columns;
  struct retime_cores cores;
  struct sim_result counts; /* the counts that do not depend on timing; no arrays */
};

/* The columns of a GPU's caches. */
struct retime_columns {
  uint32_t l1, l2, patterns; /* patterns: 0 if the recording has none */
};

/* The times of a replay of the recording: its end, and what engines without work waited for. */
struct retime_timed {
  uint64_t ticks;
  tick_sum idle[SIM_STACK_COUNT];
  tick_sum busy[SIM_STACK_COUNT];
  struct level_counts l1, l2;
  struct pattern_traffic traffic;
  struct queue_ticks queues;
};

/* Finds the columns of the GPU's caches. Caches with the same misses have the same columns. Returns false if the
 * recording does not serve the GPU. */
bool retime_find_columns(const struct retime_recording *recorded, const struct gpu_spec *spec,
                         struct retime_columns *out);
/* Returns the recorded patterns, or NULL. */
const struct recorded_patterns *retime_patterns_of(const struct retime_recording *recorded);
/* Returns whether cores have their own work-groups, so that they depend on each other only through queues that they
 * share. */
static inline bool retime_cores_are_alone(const struct gpu_spec *spec) {
  return dispatch_orders[spec->dispatch]->own && spec->memory == MEMORY_BLOCKING;
}
/* Sets what follows from the prices alone: busy times and counts. */
void retime_timed_begin(const struct retime_prices *prices, struct retime_timed *timed);
/* Replays the recording with these prices: all cores, or `only` one. `core_ticks` is [cores], or NULL if the times of
 * cores are not wanted. Returns false if it takes too long or is out of memory. */
bool retime_replay(const struct retime_recording *recorded, const struct gpu_spec *spec,
                   const struct retime_prices *prices, uint32_t only, uint64_t *core_ticks, struct retime_timed *timed);
/* Reports these times. */
void retime_report(const struct retime_recording *recorded, const struct gpu_spec *spec,
                   const struct retime_timed *timed, struct sim_result *out);

/* Times the recording on its own GPU, core by core. Returns false if the result differs from the exact replay's. */
bool retime_gives_itself(struct retime_recording *recorded, const struct sim_result *exact);

#endif
