#include "model/retime/retime_switch_path.h"

#include "model/retime/retime_warps.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What the loop keeps in registers. */
struct lists {
  const void *events;
  const uint64_t *latency, *busy; /* by class */
};

ALWAYS_INLINE uint16_t event_at(const struct lists *lists, uint64_t at, bool wide) {
  return wide ? ((const uint16_t *)lists->events)[at] : ((const uint8_t *)lists->events)[at];
}

/* False: it did something else than to join the ready ones. */
ALWAYS_INLINE bool go_on(struct timing *timing, struct timing_core *core, const struct lists *lists, uint32_t age,
                         bool wide) {
  struct timing_warp *warp = &core->warps[age];
  const uint16_t event = event_at(lists, warp->next, wide);
  if (event < EVENT_FIRST_CLASS) {
    timing_core_advance(timing, core, age);
    return false;
  }
  warp->next++;
  timing_push_ready(core, age, event);
  return true;
}

ALWAYS_INLINE void free_engine(struct timing_core *core) {
  core->busy--;
  for (uint32_t i = 0; i < core->busy; i++)
    core->engines[i] = core->engines[i + 1];
}

ALWAYS_INLINE bool end_events(struct timing *timing, struct timing_core *core, const struct lists *lists, bool wide,
                              bool ports) {
  const uint64_t now = core->now;
  bool usual = true;
  while (core->busy > 0 && moment_time(core->engines[0]) == now) {
    const uint32_t age = moment_age(core->engines[0]);
    const uint16_t event = event_at(lists, core->warps[age].next - 1, wide);
    const uint64_t latency = ports && timing->prices->port[event] ? core->warps[age].back - now : lists->latency[event];
    free_engine(core);
    if (latency > 0)
      timing_sleep_for(core, age, now + latency, timing->prices->waits[event]);
    else
      usual &= go_on(timing, core, lists, age, wide);
  }
  return usual;
}

ALWAYS_INLINE bool wake(struct timing *timing, struct timing_core *core, const struct lists *lists, bool wide) {
  bool usual = true;
  while (core->sleeper_count > 0 && moment_time(timing_first_sleeper(core)) == core->now) {
    const uint32_t age = moment_age(timing_first_sleeper(core));
    timing_remove_first_sleeper(core);
    core->waiting[core->warps[age].waits]--;
    usual &= go_on(timing, core, lists, age, wide);
  }
  return usual;
}

ALWAYS_INLINE void assign(struct timing *timing, struct timing_core *core, const struct lists *lists, bool ports) {
  while (core->ready_count > 0 && core->busy < timing->execution_engines) {
    const uint32_t head = core->ready_head++ & core->ready_mask;
    core->ready_count--;
    if (ports && timing->prices->port[core->ready_event[head]])
      core->warps[moment_age(core->ready[head])].back = timing_back_from_port(timing, core, core->ready_event[head]);
    timing_occupy(core, moment(core->now + lists->busy[core->ready_event[head]], moment_age(core->ready[head])));
  }
}

ALWAYS_INLINE bool run(struct timing *timing, struct timing_core *core, bool wide, bool ports) {
  const struct lists lists = {timing->lists->events, timing->prices->latency, timing->prices->busy};
  const uint32_t engines = timing->execution_engines;
  uint64_t limit = MOMENT_MOST_TICK / 2;
  if (core->arrivals.count > 0 && core->arrivals.entries[0].time < limit)
    limit = core->arrivals.entries[0].time;
  for (;;) {
    uint64_t next = core->busy > 0 ? moment_time(core->engines[0]) : MOMENT_NO_TICK;
    if (core->sleeper_count > 0 && moment_time(timing_first_sleeper(core)) < next)
      next = moment_time(timing_first_sleeper(core));
    if (next >= limit)
      return false;
    if (core->busy < engines)
      timing_core_account(timing, core, next);
    core->now = core->accounted = next;
    bool usual = end_events(timing, core, &lists, wide, ports);
    usual &= wake(timing, core, &lists, wide);
    if (!usual)
      return true;
    assign(timing, core, &lists, ports);
  }
}

bool timing_switch(struct timing *timing, struct timing_core *core) {
  if (timing->prices->ports)
    return run(timing, core, timing->lists->wide, true);
  return timing->lists->wide ? run(timing, core, true, false) : run(timing, core, false, false);
}
