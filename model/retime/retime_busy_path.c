#include "model/retime/retime_busy_path.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What the loop keeps in registers. */
struct stretch {
  const void *events;
  const uint64_t *busy; /* of a class, as a difference of moments */
  struct timing_warp *warps;
  uint64_t *ready;
  uint16_t *ready_event;
  uint32_t mask, head, count;
  uint64_t limit; /* what ends then or later is not ordinary */
  /* Where accesses queue at L2: */
  struct timing_slices *l2;
  const uint32_t *to_l2, *to_dram, *shared; /* lines of a class */
  uint64_t turn;                            /* from then on other cores come first */
  uint64_t bandwidth;                       /* ticks that accesses waited */
};

ALWAYS_INLINE uint16_t event_at(const struct stretch *s, uint64_t at, bool wide) {
  return wide ? ((const uint16_t *)s->events)[at] : ((const uint8_t *)s->events)[at];
}

/* Of the warps whose events end at the same time as the first, does one end or arrive at a barrier? Such a moment has
 * to be done as a whole, before engines take warps again. */
ALWAYS_INLINE bool any_special(const struct stretch *s, const uint64_t *engines, uint32_t count, bool wide) {
  for (uint32_t i = 1; i < count && engines[i] >> MOMENT_AGE_BITS == engines[0] >> MOMENT_AGE_BITS; i++)
    if (event_at(s, s->warps[engines[i] & MOMENT_AGE_MASK].next, wide) < EVENT_FIRST_CLASS)
      return true;
  return false;
}

/* engines[]: moments when they end, ascending. The first one's warp joins the queue, the queue's first takes its place.
 */
ALWAYS_INLINE void run(struct stretch *s, uint64_t *engines, uint32_t count, bool wide, bool direct) {
  for (;;) {
    const uint64_t first = engines[0];
    struct timing_warp *warp = &s->warps[first & MOMENT_AGE_MASK];
    const uint16_t event = event_at(s, warp->next, wide);
    if (first >= s->limit || event < EVENT_FIRST_CLASS)
      return;
    if (count > 1 && (engines[1] ^ first) <= MOMENT_AGE_MASK && any_special(s, engines, count, wide))
      return;
    const uint32_t tail = (s->head + s->count) & s->mask, head = s->head & s->mask;
    const uint16_t begins = s->count > 0 ? s->ready_event[head] : event;
    uint64_t wait = 0;
    if (direct && s->shared[begins] > 0) {
      const uint64_t now = first >> MOMENT_AGE_BITS;
      if (now >= s->turn)
        return;
      wait = timing_slices_serve(s->l2, s->to_l2[begins], s->to_dram[begins], now);
      s->bandwidth += wait;
    }
    warp->next++;
    s->head++;
    s->ready[tail] = first;
    s->ready_event[tail] = event;
    uint64_t end = (first & ~MOMENT_AGE_MASK) + s->busy[begins] + (s->ready[head] & MOMENT_AGE_MASK);
    if (direct)
      end = wait < MOMENT_MOST_TICK / 2 ? end + (wait << MOMENT_AGE_BITS) : MOMENT_LIMIT | (end & MOMENT_AGE_MASK);
    for (uint32_t i = 1; i < count; i++) {
      const uint64_t other = engines[i];
      engines[i - 1] = end < other ? end : other;
      end = end < other ? other : end;
    }
    engines[count - 1] = end;
  }
}

/* With a constant number of engines they stay in registers. */
#define RUN(number)                                                                                                    \
  case number:                                                                                                         \
    run(s, engines, number, wide, direct);                                                                             \
    break

ALWAYS_INLINE void run_engines(struct stretch *s, uint64_t *engines, uint32_t count, bool wide, bool direct) {
  switch (count) {
    RUN(1);
    RUN(2);
    RUN(3);
    RUN(4);
    RUN(5);
    RUN(6);
  default:
    run(s, engines, count, wide, direct);
  }
}

static uint32_t run_narrow(struct stretch s, uint64_t *engines, uint32_t count) {
  run_engines(&s, engines, count, false, false);
  return s.head;
}

static uint32_t run_wide(struct stretch s, uint64_t *engines, uint32_t count) {
  run_engines(&s, engines, count, true, false);
  return s.head;
}

static uint32_t run_direct(struct stretch *s, bool wide, uint64_t *engines, uint32_t count) {
  struct stretch own = *s;
  if (wide)
    run_engines(&own, engines, count, true, true);
  else
    run_engines(&own, engines, count, false, true);
  s->bandwidth = own.bandwidth;
  return own.head;
}

/* At the same time, the core of the lower number comes first. */
static uint64_t end_of_turn(const struct timing *timing, const struct timing_core *core) {
  return core->id < timing->turn.id && timing->turn.time != MOMENT_NEVER ? timing->turn.time + 1 : timing->turn.time;
}

static struct stretch make_stretch(struct timing *timing, const struct timing_core *core) {
  struct stretch s = {.events = timing->lists->events,
                      .busy = timing->prices->moments,
                      .warps = core->warps,
                      .ready = core->ready,
                      .ready_event = core->ready_event,
                      .mask = core->ready_mask,
                      .head = core->ready_head,
                      .count = core->ready_count,
                      .limit = MOMENT_LIMIT,
                      .l2 = &timing->l2,
                      .to_l2 = timing->prices->to_l2,
                      .to_dram = timing->prices->to_dram,
                      .shared = timing->shared,
                      .turn = end_of_turn(timing, core)};
  if (core->arrivals.count > 0 && core->arrivals.entries[0].time < MOMENT_MOST_TICK)
    s.limit = core->arrivals.entries[0].time << MOMENT_AGE_BITS;
  return s;
}

void timing_stretch(struct timing *timing, struct timing_core *core) {
  uint64_t engines[64];
  const uint32_t count = timing->execution_engines;
  const bool wide = timing->lists->wide;
  if (!timing->stretches || core->busy < count)
    return;
  struct stretch s = make_stretch(timing, core);
  for (uint32_t i = 0; i < count; i++)
    engines[i] = core->engines[i];
  uint32_t head;
  if (timing->direct)
    head = run_direct(&s, wide, engines, count);
  else
    head = wide ? run_wide(s, engines, count) : run_narrow(s, engines, count);
  if (head == s.head)
    return;
  core->ready_head = head;
  core->idle[STACK_bandwidth] += s.bandwidth;
  /* Nothing else happened up to the last event that began; no engine was idle. */
  for (uint32_t i = 0; i < count; i++)
    core->engines[i] = engines[i];
  core->now = core->accounted = core->ready[(head + s.count - 1) & s.mask] >> MOMENT_AGE_BITS;
}
