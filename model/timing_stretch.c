#include "model/timing_stretch.h"

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
ALWAYS_INLINE void run(struct stretch *s, uint64_t *engines, uint32_t count, bool wide) {
  for (;;) {
    const uint64_t first = engines[0];
    struct timing_warp *warp = &s->warps[first & MOMENT_AGE_MASK];
    const uint16_t event = event_at(s, warp->next, wide);
    if (first >= s->limit || event < EVENT_FIRST_CLASS)
      return;
    if (count > 1 && (engines[1] ^ first) <= MOMENT_AGE_MASK && any_special(s, engines, count, wide))
      return;
    warp->next++;
    const uint32_t tail = (s->head + s->count) & s->mask, head = s->head++ & s->mask;
    s->ready[tail] = first;
    s->ready_event[tail] = event;
    uint64_t end = (first & ~MOMENT_AGE_MASK) + s->busy[s->ready_event[head]] + (s->ready[head] & MOMENT_AGE_MASK);
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
    run(s, engines, number, wide);                                                                                     \
    break

ALWAYS_INLINE void run_engines(struct stretch *s, uint64_t *engines, uint32_t count, bool wide) {
  switch (count) {
    RUN(1);
    RUN(2);
    RUN(3);
    RUN(4);
    RUN(5);
    RUN(6);
  default:
    run(s, engines, count, wide);
  }
}

static uint32_t run_narrow(struct stretch s, uint64_t *engines, uint32_t count) {
  run_engines(&s, engines, count, false);
  return s.head;
}

static uint32_t run_wide(struct stretch s, uint64_t *engines, uint32_t count) {
  run_engines(&s, engines, count, true);
  return s.head;
}

void timing_stretch(struct timing *timing, struct timing_core *core) {
  uint64_t engines[64];
  const uint32_t count = timing->execution_engines;
  if (!timing->stretches || core->busy < count)
    return;
  struct stretch s = {timing->lists->events, timing->prices->moments, core->warps,       core->ready, core->ready_event,
                      core->ready_mask,      core->ready_head,        core->ready_count, MOMENT_LIMIT};
  if (core->arrivals.count > 0 && core->arrivals.entries[0].time < MOMENT_MOST_TICK)
    s.limit = core->arrivals.entries[0].time << MOMENT_AGE_BITS;
  for (uint32_t i = 0; i < count; i++)
    engines[i] = core->engines[i];
  const uint32_t head = timing->lists->wide ? run_wide(s, engines, count) : run_narrow(s, engines, count);
  if (head == s.head)
    return;
  core->ready_head = head;
  /* Nothing else happened up to the last event that began; no engine was idle. */
  for (uint32_t i = 0; i < count; i++)
    core->engines[i] = engines[i];
  core->now = core->accounted = core->ready[(head + s.count - 1) & s.mask] >> MOMENT_AGE_BITS;
}
