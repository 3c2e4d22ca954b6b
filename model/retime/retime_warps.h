/* Warps of a core in a timing-only replay: points in time, queues of warps that are ready and that sleep. Bodies for
 * retime_core.c and retime_switch_path.c. */
#ifndef MODEL_RETIME_WARPS_H
#define MODEL_RETIME_WARPS_H

#include "model/retime/retime_core.h"

static inline uint64_t moment(uint64_t time, uint64_t age) {
  return time << MOMENT_AGE_BITS | age;
}

static inline uint64_t moment_time(uint64_t moment) {
  return moment >> MOMENT_AGE_BITS;
}

static inline uint32_t moment_age(uint64_t moment) {
  return (uint32_t)(moment & MOMENT_AGE_MASK);
}

static inline uint16_t timing_event_at(const struct timing *timing, uint64_t at) {
  return timing->lists->wide ? ((const uint16_t *)timing->lists->events)[at]
                             : ((const uint8_t *)timing->lists->events)[at];
}

/* Ascending; only warps that became ready at the same time can be out of order. */
static inline void timing_push_ready(struct timing_core *core, uint32_t age, uint16_t event) {
  const uint64_t when = moment(core->now, age);
  uint32_t at = core->ready_head + core->ready_count++;
  for (; at != core->ready_head && core->ready[(at - 1) & core->ready_mask] > when; at--) {
    core->ready[at & core->ready_mask] = core->ready[(at - 1) & core->ready_mask];
    core->ready_event[at & core->ready_mask] = core->ready_event[(at - 1) & core->ready_mask];
  }
  core->ready[at & core->ready_mask] = when;
  core->ready_event[at & core->ready_mask] = event;
}

/* ---- warps that sleep: few in a sorted ring, many in a heap ---- */

static inline uint64_t timing_first_sleeper(const struct timing_core *core) {
  return core->sleepers[core->sleeper_head & core->sleeper_mask];
}

static inline void timing_sleep_until(struct timing_core *core, uint64_t when) {
  uint64_t *sleepers = core->sleepers;
  uint32_t i = core->sleeper_head + core->sleeper_count++;
  if (core->many_sleepers) {
    for (; i > 0 && when < sleepers[(i - 1) / 2]; i = (i - 1) / 2)
      sleepers[i] = sleepers[(i - 1) / 2];
    sleepers[i] = when;
    return;
  }
  const uint32_t mask = core->sleeper_mask;
  for (; i != core->sleeper_head && sleepers[(i - 1) & mask] > when; i--)
    sleepers[i & mask] = sleepers[(i - 1) & mask];
  sleepers[i & mask] = when;
}

static inline void timing_remove_first_sleeper(struct timing_core *core) {
  core->sleeper_count--;
  if (!core->many_sleepers) {
    core->sleeper_head++;
    return;
  }
  const uint64_t last = core->sleepers[core->sleeper_count];
  uint32_t i = 0;
  for (uint32_t child = 1; child < core->sleeper_count; child = 2 * i + 1) {
    child += child + 1 < core->sleeper_count && core->sleepers[child + 1] < core->sleepers[child];
    if (core->sleepers[child] >= last)
      break;
    core->sleepers[i] = core->sleepers[child];
    i = child;
  }
  core->sleepers[i] = last;
}

/* It sleeps until `time` on account of `waits`. */
static inline void timing_sleep_for(struct timing_core *core, uint32_t age, uint64_t time, uint8_t waits) {
  core->warps[age].waits = waits;
  core->waiting[waits]++;
  timing_sleep_until(core, moment(time, age));
}

/* An engine is busy until then. */
static inline void timing_occupy(struct timing_core *core, uint64_t until) {
  uint32_t at = core->busy++;
  for (; at > 0 && core->engines[at - 1] > until; at--)
    core->engines[at] = core->engines[at - 1];
  core->engines[at] = until;
}

/* The event takes its port now. Returns how long it waits there. */
static inline uint64_t timing_take_port(struct timing_core *core, const struct timing_prices *prices, uint16_t event) {
  uint64_t *port = &core->port_free[prices->port[event]];
  const uint64_t begin = *port > core->now ? *port : core->now;
  *port = begin + prices->port_ticks[event];
  return begin - core->now;
}

/* When the access that its warp, not the engine, waits for is back. */
static inline uint64_t timing_back_from_port(struct timing *timing, struct timing_core *core, uint16_t event) {
  const struct timing_prices *prices = timing->prices;
  const uint64_t wait = timing_take_port(core, prices, event);
  const uint64_t back = core->now + prices->busy[event] + wait + prices->memory[event];
  timing->too_long |= wait > MOMENT_MOST_TICK || back > MOMENT_MOST_TICK;
  return timing->too_long ? core->now : back;
}

/* The warp goes on with what comes next in its list: joins the ready ones, arrives at a barrier, ends. */
void timing_core_advance(struct timing *timing, struct timing_core *core, uint32_t age);

#endif
