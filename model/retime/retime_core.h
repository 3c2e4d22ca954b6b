/* One core of a timing-only replay: when events begin and end, given what each costs.
 *
 * The order is the exact replay's (gpu_replay.h, first_available). Points in time of warps are packed: ticks << 24 | age
 * of the warp on its core, so that comparing them is comparing (time, age). A core takes up to 2^24 warps and 2^40
 * ticks; retime_time.c refuses more. Private to the timing-only replay. Threads: one per replay. */
#ifndef MODEL_RETIME_CORE_H
#define MODEL_RETIME_CORE_H

#include "model/policy/dispatch.h"
#include "model/retime/event_recorder.h"
#include "model/policy/time_heap.h"
#include "model/retime/retime_prices.h"
#include "model/retime/retime_queues.h"

#define MOMENT_AGE_BITS  24
#define MOMENT_MOST_TICK (UINT64_C(1) << 39)
#define MOMENT_AGE_MASK  ((UINT64_C(1) << MOMENT_AGE_BITS) - 1)
#define MOMENT_LIMIT     (MOMENT_MOST_TICK << MOMENT_AGE_BITS)
#define MOMENT_NEVER     UINT64_MAX
#define MOMENT_NO_TICK   (UINT64_MAX >> MOMENT_AGE_BITS) /* when an access comes back that has not been served yet */

struct timing_group { /* resident */
  uint32_t group, live, waiting;
  uint32_t first_age; /* of its warps, which follow each other */
  bool taken;
};

struct timing_warp {
  uint64_t next; /* its next event in the lists */
  uint64_t back; /* when its queued access is, MOMENT_NO_TICK: not known yet */
  uint32_t slot; /* of its work-group */
  uint8_t waits; /* what the access counts as (enum stack_component) */
  bool at_barrier;
  bool unknown; /* it waits for the access of which that is not known */
};

/* What a core does at a point in time, in this order, again and again. */
enum timing_stage { TIMING_COMPLETE, TIMING_SERVE, TIMING_DISPATCH, TIMING_ASSIGN, TIMING_FINISHED };

struct timing_core {
  uint32_t id;
  enum timing_stage stage;
  uint64_t now, accounted, dispatch_free;
  struct dispatch_range range; /* of an order that gives each core its own */
  struct timing_group *groups; /* [slots] */
  uint32_t free_slots;
  struct timing_warp *warps; /* by age */
  uint32_t warp_count, warp_capacity;
  uint64_t *engines; /* ends of the `busy` ones, ascending */
  uint32_t busy;
  uint64_t *ready;       /* ring of moments when warps became ready, ascending ... */
  uint16_t *ready_event; /* ... and of the events that they will begin */
  uint32_t ready_mask, ready_head, ready_count;
  uint64_t *sleepers; /* ring of moments, ascending; many_sleepers: heap of them, from 0 */
  bool many_sleepers;
  uint32_t sleeper_mask, sleeper_head, sleeper_count;
  struct time_heap arrivals; /* ids: slots */
  uint32_t waiting[SIM_STACK_COUNT];
  struct timing_lsu lsu;
  uint64_t port_free[PORT_COUNT]; /* from then on */
  tick_sum idle[SIM_STACK_COUNT]; /* ticks of engines without work, or held by queues, by reason */
};

struct timing {
  const struct event_lists *lists;
  const struct timing_prices *prices;
  const struct dispatch_order_ops *order;
  struct dispatch_range range; /* of an order with one queue */
  bool queued;                 /* accesses queue on their way to L2 (timing_lsu) */
  bool direct;                 /* they reach its queues when they are issued */
  bool blocking;               /* engines wait for them */
  const uint32_t *shared;      /* direct, by event: lines that may wait there; others need not be served in order */
  struct timing_slices l2;
  struct timing_core *cores;
  uint32_t core_count, slots, warps_per_group, execution_engines;
  uint64_t launch_ticks, work_group_ticks;
  struct time_entry turn; /* other cores stand here */
  bool stretches;         /* retime_busy_path.h applies */
  bool switches;          /* retime_switch_path.h applies */
  bool too_long, no_memory;
};

bool timing_core_init(struct timing *timing, struct timing_core *core, const struct gpu_spec *spec, uint32_t id,
                      uint32_t group_count);
void timing_core_clear(struct timing_core *core);
void timing_core_give_group(struct timing *timing, struct timing_core *core, uint32_t group);
static inline struct dispatch_range *timing_core_range(struct timing *timing, struct timing_core *core) {
  return timing->order->own ? &core->range : &timing->range;
}
/* Until it is finished or must wait for its turn at what cores share. */
void timing_core_run(struct timing *timing, struct timing_core *core);
/* Attributes the time of idle execution engines up to `time`. */
void timing_core_account(const struct timing *timing, struct timing_core *core, uint64_t time);

#endif
