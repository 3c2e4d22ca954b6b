/* One core in place of all: where cores have their own work-groups and do not disturb each other, only the core that is
 * expected to end last is timed.
 *
 * For each core its events by class are known, and the time at which it ended on the recorded GPU. A core is expected
 * to end when it would if its engines' idle share were the recorded one. Memory: cores x (classes + caches). Cost:
 * O(cores) a GPU; O(cores x classes) when a latency in front of L2 differs. Threads: read-only once made. */
#ifndef MODEL_RETIME_CORES_H
#define MODEL_RETIME_CORES_H

#include "model/retime/event_recorder.h"
#include "model/retime/retime_prices.h"

struct retime_cores {
  uint32_t core_count, class_count;
  uint32_t *events;  /* [cores][classes]; NULL: cores disturb each other */
  uint64_t *atomics; /* [cores]: lines of atomics */
  uint64_t *misses;  /* [caches][cores]: misses that a warp waits for */
  uint64_t *ticks;   /* [cores]: time at which its last event ended on the recorded GPU */
  double *busy;      /* [cores]: busy ticks on the recorded GPU */
};

/* The busy ticks of each core without those behind L1, for one GPU at a time. */
struct core_bases {
  struct retime_rates rates;
  double *ticks; /* [cores]; NULL: not computed yet */
};

/* Counts the events of each core; the caller sets `ticks` and `busy`. Returns false when out of memory, or if the
 * counts do not fit. */
bool retime_cores_make(struct retime_cores *cores, const struct event_lists *lists, const struct event_classes *classes,
                       const struct event_columns *columns, const struct gpu_spec *spec, uint32_t group_count,
                       uint32_t warps_per_group);
void retime_cores_clear(struct retime_cores *cores);

/* Updates the bases for these prices. Returns false when out of memory. */
bool core_bases_set(struct core_bases *bases, const struct retime_cores *cores, const struct retime_prices *prices);
/* Returns a core's busy ticks if its caches have these columns. */
double retime_core_busy(const struct retime_cores *cores, const struct core_bases *bases, uint32_t core, uint32_t l1,
                        uint32_t l2);
/* Returns the number of the core that is expected to end last. */
uint32_t retime_cores_last(const struct retime_cores *cores, const struct core_bases *bases, uint32_t l1, uint32_t l2);

/* Returns the traffic of the other cores to L2, divided by that of `core`, where accesses queue. */
struct recorded_others retime_others_of(const struct retime_cores *cores, const struct event_costs *costs,
                                        const struct event_classes *classes, uint32_t core);

#endif
