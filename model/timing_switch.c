#include "model/timing_switch.h"

#include "model/timing_warps.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint16_t event_at(const void *events, uint64_t at, bool wide) {
  return wide ? ((const uint16_t *)events)[at] : ((const uint8_t *)events)[at];
}

/* False: it did something else than to join the ready ones. */
ALWAYS_INLINE bool go_on(struct timing *timing, struct timing_core *core, uint32_t age, bool wide) {
  struct timing_warp *warp = &core->warps[age];
  const uint16_t event = event_at(timing->lists->events, warp->next, wide);
  if (event < EVENT_FIRST_CLASS) {
    timing_core_advance(timing, core, age);
    return false;
  }
  warp->next++;
  timing_push_ready(core, age, event);
  return true;
}

ALWAYS_INLINE bool end_events(struct timing *timing, struct timing_core *core, bool wide) {
  const uint64_t now = core->now;
  uint64_t ends[64]; /* of execution engines there are 64 at most (gpu.c) */
  uint32_t ended = 0;
  bool usual = true;
  while (ended < core->busy && moment_time(core->engines[ended]) == now) {
    ends[ended] = core->engines[ended];
    ended++;
  }
  core->busy -= ended;
  for (uint32_t i = 0; i < core->busy; i++)
    core->engines[i] = core->engines[i + ended];
  for (uint32_t i = 0; i < ended; i++) {
    const uint32_t age = moment_age(ends[i]);
    const uint16_t event = event_at(timing->lists->events, core->warps[age].next - 1, wide);
    const uint64_t latency = timing->prices->latency[event];
    if (latency > 0)
      timing_sleep_for(core, age, now + latency, timing->prices->waits[event]);
    else
      usual &= go_on(timing, core, age, wide);
  }
  return usual;
}

ALWAYS_INLINE bool wake(struct timing *timing, struct timing_core *core, bool wide) {
  bool usual = true;
  while (core->sleeper_count > 0 && moment_time(timing_first_sleeper(core)) == core->now) {
    const uint32_t age = moment_age(timing_first_sleeper(core));
    timing_remove_first_sleeper(core);
    core->waiting[core->warps[age].waits]--;
    usual &= go_on(timing, core, age, wide);
  }
  return usual;
}

ALWAYS_INLINE void assign(const struct timing *timing, struct timing_core *core) {
  while (core->ready_count > 0 && core->busy < timing->execution_engines) {
    const uint32_t head = core->ready_head++ & core->ready_mask;
    core->ready_count--;
    timing_occupy(core,
                  moment(core->now + timing->prices->busy[core->ready_event[head]], moment_age(core->ready[head])));
  }
}

ALWAYS_INLINE bool run(struct timing *timing, struct timing_core *core, bool wide) {
  uint64_t limit = MOMENT_MOST_TICK / 2;
  if (core->arrivals.count > 0 && core->arrivals.entries[0].time < limit)
    limit = core->arrivals.entries[0].time;
  for (;;) {
    uint64_t next = core->busy > 0 ? moment_time(core->engines[0]) : MOMENT_NO_TICK;
    if (core->sleeper_count > 0 && moment_time(timing_first_sleeper(core)) < next)
      next = moment_time(timing_first_sleeper(core));
    if (next >= limit)
      return false;
    timing_core_account(timing, core, next);
    core->now = next;
    bool usual = end_events(timing, core, wide);
    usual &= wake(timing, core, wide);
    if (!usual)
      return true;
    assign(timing, core);
  }
}

bool timing_switch(struct timing *timing, struct timing_core *core) {
  return timing->lists->wide ? run(timing, core, true) : run(timing, core, false);
}
