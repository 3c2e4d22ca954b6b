/* One core for all: where cores have work-groups of their own and none disturbs another, only the core is timed that
 * should end last.
 *
 * Known of each core are its events by class, and when it ended on the recorded GPU. A core should end when it would if
 * its engines' idle share were the recorded one. Memory: cores x (classes + caches). Cost: O(cores) a GPU; O(cores x
 * classes) when a latency in front of L2 is another. Threads: read-only once made. */
#ifndef MODEL_RETIME_CORES_H
#define MODEL_RETIME_CORES_H

#include "model/retime/event_recorder.h"
#include "model/retime/retime_prices.h"

struct retime_cores {
  uint32_t core_count, class_count;
  uint32_t *events;  /* [cores][classes]; NULL: cores disturb each other */
  uint64_t *atomics; /* [cores]: their lines */
  uint64_t *misses;  /* [caches][cores]: those that somebody waits for */
  uint64_t *ticks;   /* [cores]: when its last event ended, on the recorded GPU */
  double *busy;      /* [cores]: ticks, on the recorded GPU */
};

/* Busy ticks of each core without what comes behind L1, for one GPU after the other. */
struct core_bases {
  struct retime_rates rates;
  double *ticks; /* [cores]; NULL: none yet */
};

/* The events of each core; `ticks` and `busy` are the caller's to set. False: out of memory, or too much. */
bool retime_cores_make(struct retime_cores *cores, const struct event_lists *lists, const struct event_classes *classes,
                       const struct event_columns *columns, const struct gpu_spec *spec, uint32_t group_count,
                       uint32_t warps_per_group);
void retime_cores_clear(struct retime_cores *cores);

/* Brings the bases up to date. False: out of memory. */
bool core_bases_set(struct core_bases *bases, const struct retime_cores *cores, const struct retime_prices *prices);
/* A core's busy ticks, its caches having these columns. */
double retime_core_busy(const struct retime_cores *cores, const struct core_bases *bases, uint32_t core, uint32_t l1,
                        uint32_t l2);
/* The core that should end last. */
uint32_t retime_cores_last(const struct retime_cores *cores, const struct core_bases *bases, uint32_t l1, uint32_t l2);

/* The traffic of the other cores to L2, divided by that of `core`, where accesses queue. */
struct recorded_others retime_others_of(const struct retime_cores *cores, const struct event_costs *costs,
                                        const struct event_classes *classes, uint32_t core);

#endif
