/* One shader core: resident work-groups, ready warps, execution engines. Private to the engine. */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include "model/core_ports.h"
#include "model/dispatch.h"
#include "model/engine.h"
#include "model/in_flight.h"
#include "model/lsu.h"
#include "model/event_recorder.h"
#include "model/scheduler.h"
#include "model/time_heap.h"

struct resident_warp {
  struct warp warp;
  uint64_t ready_time, age;
  uint64_t latency; /* switch_on_access: what it waits for after its access was issued; CORE_UNKNOWN: not known yet */
  uint32_t slot;
  uint8_t event; /* enum warp_event: under way or next */
  uint8_t waits; /* enum stack_component that its latency counts as */
  bool at_barrier;
  bool unknown;               /* it waits for an access of which is not known yet when it ends */
  bool has_place;             /* among the core's accesses in flight */
  struct flight_list flights; /* dependency */
};

struct resident_group {
  uint32_t group;         /* index in trace.groups */
  uint32_t live, waiting; /* warps that have not ended; of them at the barrier */
  bool taken;
};

struct busy_engine {
  uint64_t end;
  uint32_t warp;
};

#define CORE_UNKNOWN UINT64_MAX /* time: later than any */

enum core_stage { CORE_COMPLETE, CORE_SERVE, CORE_DISPATCH, CORE_ASSIGN, CORE_FINISHED };

struct core {
  uint32_t id;
  enum core_stage stage;
  uint64_t now, accounted;
  struct dispatch_range range; /* of an order that gives each core its own */
  struct ready_warp last;      /* the warp that an engine took last */
  uint32_t free_slots;
  uint64_t dispatch_free; /* the dispatcher is busy until then */
  uint64_t next_age;
  struct resident_group *groups; /* [slots] */
  struct resident_warp *warps;   /* [slots * warps a group] */
  struct busy_engine *engines;   /* [execution_engines], the first `busy` */
  uint32_t busy;
  uint32_t *ready; /* ring of warps */
  uint32_t ready_mask, ready_head, ready_count;
  struct time_heap sleepers, arrivals; /* ids: warps; slots */
  struct flight_places places;
  struct flight *flights;            /* dependency: of all warps */
  uint32_t waiting[SIM_STACK_COUNT]; /* warps (launch: work-groups) that wait for what */
  bool access_begun;                 /* the first ready warp's access has seen L1 and waits for its turn at L2 */
  struct memory_access access;
  struct lsu lsu;
  struct core_ports ports;
  uint64_t *stack; /* [SIM_STACK_COUNT] */
};

struct engine {
  const struct warp_context *context;
  const struct trace *trace;
  const struct gpu_spec *spec;
  struct event_recorder *recorder; /* NULL: none */
  struct engine_result *result;
  struct memory_system memory;
  struct core *cores;
  uint32_t core_count, slots, warps_per_group, execution_engines;
  const struct dispatch_order_ops *order;
  const struct scheduler_ops *scheduler;
  struct dispatch_range range; /* of an order with one queue */
  uint64_t launch_ticks, work_group_ticks, barrier_ticks;
  uint64_t arith; /* cycles per slot, in 2^-20 */
  uint64_t local_stride, private_stride;
  bool ports_on;
  char *divergent; /* memory of divergent warps, NULL when there are none */
  size_t divergent_bytes;
  uint32_t *counters;
  struct time_entry turn;   /* other cores stand here: what is before it may use what is shared */
  bool too_long, no_memory; /* either stops the replay */
};

void core_give_group(struct engine *engine, struct core *core, uint32_t group);
static inline struct dispatch_range *core_range(struct engine *engine, struct core *core) {
  return engine->order->own ? &core->range : &engine->range;
}
/* Runs until the core is finished or must wait for its turn. */
void core_run(struct engine *engine, struct core *core);

/* Parts of core.c that core_access.c uses. */
/* Sorted by (time of becoming ready, age); only warps that became ready at the same time can be out of order. */
static inline void core_push_ready(struct core *core, uint32_t index) {
  struct resident_warp *warp = &core->warps[index];
  uint32_t at = core->ready_head + core->ready_count++;
  warp->ready_time = core->now;
  while (at != core->ready_head) {
    uint32_t before = core->ready[(at - 1) & core->ready_mask];
    if (core->warps[before].ready_time < core->now || core->warps[before].age < warp->age)
      break;
    core->ready[at-- & core->ready_mask] = before;
  }
  core->ready[at & core->ready_mask] = index;
}

/* The warp sleeps until `time`, on account of `waits` (enum stack_component). */
static inline void core_sleep_until(struct core *core, uint32_t index, uint64_t time, uint8_t waits) {
  core->warps[index].waits = waits;
  core->waiting[waits]++;
  time_heap_push(&core->sleepers, (struct time_entry){time, index});
}

/* An engine takes the first ready warp until `end`. */
static inline void core_occupy_until(struct engine *engine, struct core *core, uint64_t end) {
  uint32_t index = core->ready[core->ready_head++ & core->ready_mask];
  core->ready_count--;
  core->engines[core->busy++] = (struct busy_engine){end, index};
  if (end > MAX_TICKS && end != CORE_UNKNOWN)
    engine->too_long = true;
}

static inline void core_charge(struct engine *engine, struct core *core, uint32_t op, enum stack_component to,
                               uint64_t ticks) {
  core->stack[to] += ticks;
  engine->result->op_ticks[op][to] += ticks;
}

static inline uint64_t core_slots_ticks(const struct engine *engine, uint64_t slots) {
  tick_sum ticks = ((tick_sum)slots * engine->arith + (1 << 19)) >> 20;
  return ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks;
}

/* Of all resident warps on all cores, its number. */
static inline uint64_t core_resident(const struct engine *engine, const struct core *core,
                                     const struct resident_warp *warp) {
  return (uint64_t)core->id * engine->slots * engine->warps_per_group + (uint64_t)(warp - core->warps);
}

static inline bool core_its_turn(const struct engine *engine, const struct core *core) {
  return time_before((struct time_entry){core->now, core->id}, engine->turn);
}

/* Memory accesses of the core's warps (core_access.c). Both false: must wait for its turn at L2. */
bool core_start_access(struct engine *engine, struct core *core, struct resident_warp *warp);
/* Queued accesses that have arrived at L2 are served. */
bool core_serve(struct engine *engine, struct core *core);
/* Places of accesses that end now are given to warps that wait for one. */
void core_free_places(struct core *core);

/* Attributes the time of idle execution engines up to `time`. */
void core_account(struct engine *engine, struct core *core, uint64_t time);

#endif
