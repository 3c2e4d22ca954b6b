/* A launch whose events were recorded, which a replay reads in place of walking through the trace.
 *
 * An event of a warp is the number of a class, and all events of a class cost the same on one GPU. A replay of a
 * recorded launch decides when events begin and end; the events themselves, and the lines of an access that miss each
 * cache, are given. model/retime makes the lists and the costs. Times are ticks (TICKS_PER_CYCLE). Ownership: the
 * replay borrows all of it. Threads: read-only during a replay. */
#ifndef MODEL_RECORDED_EVENTS_H
#define MODEL_RECORDED_EVENTS_H

#include "model/replay/recorded/recorded_patterns.h"

/* The numbers that are not classes: the warp has ended; it has arrived at the barrier whose event stands before. */
enum event_mark { EVENT_END, EVENT_ARRIVE, EVENT_FIRST_CLASS };

/* The events of all warps: those of warp w begin at starts[w] and end with EVENT_END. */
struct event_lists {
  void *events; /* uint8_t, or uint16_t when wide */
  bool wide;
  uint64_t count, capacity;
  uint64_t *starts; /* [warp_count], by work-group and number of the warp in it */
  uint64_t warp_count;
};

static inline uint16_t event_lists_at(const struct event_lists *lists, uint64_t at) {
  return lists->wide ? ((const uint16_t *)lists->events)[at] : ((const uint8_t *)lists->events)[at];
}

/* Ports of a core for accesses that do not go through its load/store unit. */
enum event_port { PORT_NONE, PORT_SCRATCHPAD, PORT_UNIFORM, PORT_COUNT };

/* The costs of each class on one GPU. All arrays are [count]. */
struct event_costs {
  uint32_t count;
  uint64_t *engine;         /* ticks of an execution engine */
  uint64_t *engine_moments; /* the same ticks, << MOMENT_AGE_BITS */
  uint64_t *latency;        /* ticks that the warp waits after that */
  uint8_t *waits;           /* enum stack_component that the latency belongs to */
  uint8_t *port;            /* enum event_port */
  uint64_t *port_ticks;     /* ticks during which the port is taken */
  uint64_t *memory;         /* of an access: the sum of its latencies, in ticks */
  uint32_t *lines;          /* of an access: its transactions; 0: the event is not an access */
  uint64_t *atomic;         /* part of `memory` that is the latency of an atomic's rounds */
  uint16_t *pattern;        /* of an access at L2, like the next member; only for GPUs with queues */
  bool *shared;             /* whether it may wait at L2, or for its order */
  const struct recorded_patterns *patterns;
  bool ports;   /* whether some class takes a port */
  bool instant; /* whether some class takes no time */
};

#define MOMENT_AGE_BITS 24 /* model/replay/recorded/recorded_warps.h */

struct recorded_launch {
  const struct event_lists *lists;
  const struct event_costs *costs;
  uint32_t group_count, group_places, warps_per_group; /* group_places: work-groups that are resident on a core */
  struct recorded_others others;                       /* used where one core is replayed in place of all */
};

#endif
