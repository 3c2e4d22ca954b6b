/* The busy fast path under `memory: blocking`: while all engines of a core are busy and only ordinary events end, a
 * warp whose event ends joins the ready ones, and the warp that has been ready for longest takes its engine. No engine
 * is idle, and no work-group starts or ends. With queues, an engine whose access must be served at L2 first stays busy
 * until then. The path ends when something else happens, which the replay loop (core_loop.h) then does. This file holds
 * inline functions of that loop. */
#ifndef MODEL_BUSY_FAST_PATH_H
#define MODEL_BUSY_FAST_PATH_H

#include "model/replay/core_events.h"

/* The value of an unknown key. A key is the end of an engine's event: ticks since the path began, then the rank of the
 * warp. The path lasts less than CORE_FAR_TICKS, and so do the events that are under way when it begins. KEY_UNKNOWN
 * means that the event ends later than a key can express, or that its end is not known. */
#define KEY_UNKNOWN (2 * CORE_FAR_TICKS << CORE_KEY_RANK_BITS)

static inline uint64_t key_ticks(uint64_t key) {
  return key >> CORE_KEY_RANK_BITS;
}

/* Returns the key of an event that ends at `end`. core_choose_busy_path makes sure that ranks fit. CORE_UNKNOWN is
 * later than any time. */
CORE_INLINE uint64_t key_of(uint64_t base, uint64_t end, uint64_t rank) {
  return (core_sooner(end - base, 2 * CORE_FAR_TICKS) << CORE_KEY_RANK_BITS) + rank;
}

/* Returns the key that is larger than those of all events that end before `time` and before CORE_FAR_TICKS. */
static inline uint64_t key_limit(uint64_t base, uint64_t time) {
  const uint64_t ticks = time < base ? 0 : time - base;
  return (ticks < CORE_FAR_TICKS ? ticks : CORE_FAR_TICKS) << CORE_KEY_RANK_BITS;
}

static inline uint64_t key_rank(uint64_t key) {
  return key & ((UINT64_C(1) << CORE_KEY_RANK_BITS) - 1);
}

CORE_INLINE struct warp *warp_of_key(struct core *core, uint64_t key) {
  return &core->warps[core_place_of(core, key)].warp;
}

/* Removes the first of `count` ascending keys, and inserts `key`. */
CORE_INLINE void replace_first(uint64_t *keys, uint32_t count, uint64_t key) {
  for (uint32_t i = 1; i < count; i++) {
    const uint64_t other = keys[i];
    keys[i - 1] = key < other ? key : other;
    key = key < other ? other : key;
  }
  keys[count - 1] = key;
}

/* Sets the keys of the engines in ascending order. Returns false when an event ends later than a key can express. */
static inline bool read_engines(const struct core *core, uint64_t *keys) {
  for (uint32_t i = 0; i < core->busy; i++) {
    const struct engine_use *use = &core->engines[i];
    const uint64_t key = key_of(core->now, use->end, core->warps[use->warp].warp.rank);
    uint32_t at = i;
    if (use->end != CORE_UNKNOWN && use->end - core->now >= CORE_FAR_TICKS)
      return false;
    for (; at > 0 && keys[at - 1] > key; at--)
      keys[at] = keys[at - 1];
    keys[at] = key;
  }
  return true;
}

static inline void write_engines(struct core *core, const uint64_t *keys, uint64_t base) {
  for (uint32_t i = 0; i < core->busy; i++)
    core->engines[core->busy - 1 - i] = (struct engine_use){
        keys[i] < KEY_UNKNOWN ? base + key_ticks(keys[i]) : CORE_UNKNOWN, core_place_of(core, keys[i])};
}

/* Returns whether the warp is ready for another event when the one under way ends. */
CORE_INLINE bool ends_ordinarily(const struct warp *warp) {
  return warp->under_way != WARP_BARRIER && warp->event != WARP_DONE;
}

/* Returns whether all events that end at the same time as the first end ordinarily: the loop handles such a moment as a
 * whole. */
CORE_INLINE bool all_end_ordinarily(struct core *core, const uint64_t *keys, uint32_t count) {
  for (uint32_t i = 1; i < count && key_ticks(keys[i]) == key_ticks(keys[0]); i++)
    if (!ends_ordinarily(warp_of_key(core, keys[i])))
      return false;
  return true;
}

/* Returns whether the warp's next event takes time. Accesses and barriers always do (core_choose_busy_path). */
CORE_INLINE bool takes_time(const struct gpu_replay *replay, const struct warp *warp) {
  return warp->event != WARP_RUN || warp->slots >= replay->least_slots;
}

/* Runs the path. A warp that becomes ready stands behind all others, because keys come in order of (time, age). Returns
 * the event that ended the path because it ends later than a key can express; its end is CORE_UNKNOWN if there is
 * none. */
CORE_INLINE struct engine_use busy_path_loop(struct gpu_replay *replay, struct core *core, uint64_t *keys,
                                             uint32_t count, struct mechanisms on) {
  struct engine_use late = {.end = CORE_UNKNOWN};
  const uint64_t base = core->now, arrival = core->arrivals.count > 0 ? core->arrivals.entries[0].time : UINT64_MAX;
  struct ready_entry *const ready = core->ready;
  struct resident_warp *const warps = core->warps;
  const uint32_t mask = core->ready_mask, queued = core->ready_count;
  uint32_t head = core->ready_head;
  uint64_t horizon = core->horizon, limit = key_limit(base, core_sooner(arrival, horizon));
  while (keys[0] < limit) {
    const uint64_t first = keys[0], now = base + key_ticks(first);
    ready[(head + queued) & mask] = (struct ready_entry){now, key_rank(first)};
    const uint64_t rank = ready[head & mask].rank;
    struct resident_warp *const next = &warps[rank & mask];
    /* The warp behind it is fetched ahead: running the other cores has evicted it from the processor's cache. */
    __builtin_prefetch(&warps[ready[(head + 2) & mask].rank & mask]);
    if (!ends_ordinarily(&warps[first & mask].warp) || !all_end_ordinarily(core, keys, count) ||
        !takes_time(replay, &next->warp))
      break;
    head++;
    core->now = now;
    const uint64_t end = core_begin_event(replay, core, (uint32_t)rank & mask, next, on);
    const uint64_t key = key_of(base, end, rank);
    replace_first(keys, count, key);
    if (key >= KEY_UNKNOWN && end != CORE_UNKNOWN) {
      late = (struct engine_use){end, (uint32_t)rank & mask};
      break;
    }
    if (on.queued && core->lsu.served > 0) /* the core may not use the answer yet */
      break;
    if (core->horizon < horizon) {
      horizon = core->horizon;
      limit = key_limit(base, core_sooner(arrival, horizon));
    }
  }
  core->ready_head = head;
  return late;
}

/* Runs the path of a core whose engines are all busy, with no event that ends now. */
CORE_INLINE void busy_path_engines(struct gpu_replay *replay, struct core *core, uint64_t *keys, uint32_t count,
                                   struct mechanisms on) {
  const uint64_t base = core->now;
  if (!read_engines(core, keys))
    return;
  const struct engine_use late = busy_path_loop(replay, core, keys, count, on);
  write_engines(core, keys, base);
  if (late.end != CORE_UNKNOWN)
    core_release_engine(core, late.warp, late.end);
  core->accounted = core->now;
}

/* A constant number of engines lets the compiler keep their keys in registers. */
#define BUSY_PATH(number)                                                                                              \
  case number: {                                                                                                       \
    uint64_t keys[number];                                                                                             \
    busy_path_engines(replay, core, keys, number, on);                                                                 \
    break;                                                                                                             \
  }

CORE_INLINE void busy_path_run(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  switch (core->busy) {
    BUSY_PATH(1)
    BUSY_PATH(2)
    BUSY_PATH(3)
    BUSY_PATH(4)
  default:
    busy_path_engines(replay, core, core->keys, core->busy, on);
  }
}

#endif
