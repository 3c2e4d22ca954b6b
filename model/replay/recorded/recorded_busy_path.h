/* The fast path of a recorded launch under `memory: blocking` where no port is taken. It is the busy fast path of
 * busy_fast_path.h, where an event is a look-up of its cost and of its wait in the load/store unit. An engine whose
 * access must be served at L2 first stays busy until then. These are inline functions of the replay loop. */
#ifndef MODEL_RECORDED_BUSY_PATH_H
#define MODEL_RECORDED_BUSY_PATH_H

#include "model/replay/busy_fast_path.h"

/* The variables that the loop keeps in registers. */
struct recorded_busy_path {
  const void *events;
  const uint64_t *costs; /* cost of each class, as a difference of moments */
  struct recorded_warp *warps;
  uint64_t *ready;
  uint16_t *numbers;
  uint32_t mask, head, count;
  uint64_t limit;        /* the path ends before this moment */
  uint64_t arrival;      /* time of the next work-group's arrival, in ticks */
  const uint32_t *lines; /* by class, with queues: transactions that pass the load/store unit */
};

/* Begins the access of the warp of this age at `time`, with queues. Returns the time at which it ends, or
 * MOMENT_MOST_TICK if that is not known yet. */
CORE_INLINE uint64_t recorded_busy_access(struct gpu_replay *replay, struct core *core, struct recorded_busy_path *s,
                                          uint32_t age, uint16_t number, uint64_t time, struct mechanisms on) {
  if (!replay->recorded->costs->shared[number])
    return recorded_pass_unit(replay, core, number, time);
  core->now = time;
  const uint64_t end = recorded_begin_queued(replay, core, s->warps[age].place, number, on);
  s->limit = moment(core_sooner(core_sooner(s->arrival, core->horizon), MOMENT_MOST_TICK), 0);
  return core_sooner(end, MOMENT_MOST_TICK);
}

/* Returns whether a warp whose event ends at the same time as the first one ends or arrives at a barrier: the loop
 * handles such a moment as a whole, before engines take warps again. */
CORE_INLINE bool any_special(const struct recorded_busy_path *s, const uint64_t *engines, uint32_t count,
                             struct mechanisms on) {
  for (uint32_t i = 1; i < count && moment_time(engines[i]) == moment_time(engines[0]); i++)
    if (recorded_at(s->events, s->warps[moment_age(engines[i])].next, on) < EVENT_FIRST_CLASS)
      return true;
  return false;
}

/* Runs the path. engines[] holds the moments when they end, ascending. The first one's warp joins the queue, and the
 * queue's first warp takes its engine. */
CORE_INLINE void recorded_busy_loop(struct gpu_replay *replay, struct core *core, struct recorded_busy_path *s,
                                    uint64_t *engines, uint32_t count, struct mechanisms on) {
  for (;;) {
    const uint64_t first = engines[0];
    struct recorded_warp *warp = &s->warps[moment_age(first)];
    const uint16_t number = recorded_at(s->events, warp->next, on);
    if (first >= s->limit || number < EVENT_FIRST_CLASS)
      return;
    if (count > 1 && (engines[1] ^ first) <= MOMENT_AGE_MASK && any_special(s, engines, count, on))
      return;
    const uint32_t tail = (s->head + s->count) & s->mask, head = s->head & s->mask;
    const uint16_t begins = s->count > 0 ? s->numbers[head] : number;
    warp->next++;
    s->head++;
    s->ready[tail] = first;
    s->numbers[tail] = number;
    const uint32_t age = moment_age(s->ready[head]);
    if (!on.queued || s->lines[begins] == 0)
      replace_first(engines, count, (first & ~MOMENT_AGE_MASK) + s->costs[begins] + age);
    else
      replace_first(engines, count,
                    moment(recorded_busy_access(replay, core, s, age, begins, moment_time(first), on), age));
  }
}

/* Sets the moments of the engines. An end that is not known is MOMENT_MOST_TICK, which no event reaches. */
static inline void recorded_read_engines(const struct gpu_replay *replay, const struct core *core, uint64_t *engines) {
  for (uint32_t i = 0; i < core->busy; i++) {
    const struct engine_use *use = &core->engines[i];
    const uint64_t when = moment(core_sooner(use->end, MOMENT_MOST_TICK), recorded_age(replay, core, use->warp));
    uint32_t at = i;
    for (; at > 0 && engines[at - 1] > when; at--)
      engines[at] = engines[at - 1];
    engines[at] = when;
  }
}

static inline void recorded_write_engines(struct core *core, const uint64_t *engines) {
  for (uint32_t i = 0; i < core->busy; i++)
    core->engines[core->busy - 1 - i] =
        (struct engine_use){moment_time(engines[i]) < MOMENT_MOST_TICK ? moment_time(engines[i]) : CORE_UNKNOWN,
                            core->recorded[moment_age(engines[i])].place};
}

/* A constant number of engines lets the compiler keep their moments in registers. */
#define RECORDED_BUSY_PATH(number)                                                                                     \
  case number:                                                                                                         \
    recorded_busy_loop(replay, core, &s, engines, number, on);                                                         \
    break;

/* Runs the core up to the next moment at which something else happens, if any event comes before it. */
CORE_INLINE void recorded_busy_run(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  const uint64_t arrival = core->arrivals.count > 0 ? core->arrivals.entries[0].time : MOMENT_MOST_TICK;
  const uint64_t end = on.queued ? core_sooner(arrival, core->horizon) : arrival;
  struct recorded_busy_path s = {.events = replay->recorded->lists->events,
                                 .costs = replay->recorded->costs->engine_moments,
                                 .warps = core->recorded,
                                 .ready = core->ready_moments,
                                 .numbers = core->ready_numbers,
                                 .mask = core->ready_mask,
                                 .head = core->ready_head,
                                 .count = core->ready_count,
                                 .limit = moment(core_sooner(end, MOMENT_MOST_TICK), 0),
                                 .arrival = arrival,
                                 .lines = replay->recorded->costs->lines};
  uint64_t *engines = core->keys;
  recorded_read_engines(replay, core, engines);
  switch (core->busy) {
    RECORDED_BUSY_PATH(1)
    RECORDED_BUSY_PATH(2)
    RECORDED_BUSY_PATH(3)
    RECORDED_BUSY_PATH(4)
    RECORDED_BUSY_PATH(5)
    RECORDED_BUSY_PATH(6)
  default:
    recorded_busy_loop(replay, core, &s, engines, core->busy, on);
  }
  if (s.head == core->ready_head)
    return;
  core->ready_head = s.head;
  recorded_write_engines(core, engines);
  core->now = core->accounted = moment_time(core->ready_moments[(s.head + s.count - 1) & s.mask]);
}

/* These are separate functions, so that the variables of the path stay in registers. */
#define RECORDED_BUSY(name, ...)                                                                                       \
  static __attribute__((noinline, unused)) void name(struct gpu_replay *replay, struct core *core) {                   \
    recorded_busy_run(replay, core, (struct mechanisms){.blocking = true, .recorded = true, __VA_ARGS__});             \
  }
RECORDED_BUSY(recorded_busy_narrow, )
RECORDED_BUSY(recorded_busy_wide, .wide = true)
RECORDED_BUSY(recorded_busy_queued, .queued = true)
RECORDED_BUSY(recorded_busy_queued_wide, .queued = true, .wide = true)
#undef RECORDED_BUSY

CORE_INLINE void recorded_busy_path_run(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  if (on.queued)
    (on.wide ? recorded_busy_queued_wide : recorded_busy_queued)(replay, core);
  else
    (on.wide ? recorded_busy_wide : recorded_busy_narrow)(replay, core);
}

#endif
