/* The inner loop of a replay under `memory: blocking`: stretches of time in which all engines of a core are busy and
 * nothing but ordinary events ends. A warp whose event ends joins the queue, and the queue's first takes its engine:
 * nobody waits, no engine is idle, no work-group comes or goes. With queues, an engine whose access must be served at
 * L2 first stays busy until then. The replay loop (core.c) does all else, and what a stretch does not understand it
 * leaves to it. Bodies for that loop. */
#ifndef MODEL_BUSY_FAST_PATH_H
#define MODEL_BUSY_FAST_PATH_H

#include "model/replay/core_events.h"

/* When an engine's event ends, as a key: ticks since the stretch began, then the warp's rank. A stretch takes less than
 * CORE_FAR_TICKS, and so does what is left of the events that it begins with; what ends at KEY_UNKNOWN ends later than
 * a key can say, or nobody knows when. */
#define KEY_UNKNOWN (2 * CORE_FAR_TICKS << CORE_KEY_RANK_BITS)

static inline uint64_t key_ticks(uint64_t key) {
  return key >> CORE_KEY_RANK_BITS;
}

/* Ranks fit: core_set_stretches. CORE_UNKNOWN is further than any. */
CORE_INLINE uint64_t key_of(uint64_t base, uint64_t end, uint64_t rank) {
  return (core_sooner(end - base, 2 * CORE_FAR_TICKS) << CORE_KEY_RANK_BITS) + rank;
}

/* What ends before `time`, and before it is too late for a stretch, has a smaller key. */
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

/* The first of `count` ascending keys goes, `key` is put where it belongs. */
CORE_INLINE void replace_first(uint64_t *keys, uint32_t count, uint64_t key) {
  for (uint32_t i = 1; i < count; i++) {
    const uint64_t other = keys[i];
    keys[i - 1] = key < other ? key : other;
    key = key < other ? other : key;
  }
  keys[count - 1] = key;
}

/* False: one ends too late to be said by a key. */
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

/* Its event ends, and that is all: it has another one and is ready for it. */
CORE_INLINE bool ends_ordinarily(const struct warp *warp) {
  return warp->under_way != WARP_BARRIER && warp->event != WARP_DONE;
}

/* What ends at the same time as the first, too: such a moment has to be done as a whole. */
CORE_INLINE bool all_end_ordinarily(struct core *core, const uint64_t *keys, uint32_t count) {
  for (uint32_t i = 1; i < count && key_ticks(keys[i]) == key_ticks(keys[0]); i++)
    if (!ends_ordinarily(warp_of_key(core, keys[i])))
      return false;
  return true;
}

/* Accesses and barriers do: core_set_stretches. */
CORE_INLINE bool takes_time(const struct gpu_replay *replay, const struct warp *warp) {
  return warp->event != WARP_RUN || warp->slots >= replay->least_slots;
}

/* A warp that joins the queue does so behind all that are there, because keys come in order of (time, age). Returns the
 * event that ended the stretch because it ends later than a key can say; end CORE_UNKNOWN: none. */
CORE_INLINE struct engine_use run_stretch(struct gpu_replay *replay, struct core *core, uint64_t *keys, uint32_t count,
                                          struct mechanisms on) {
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
    if (on.queued && core->lsu.served > 0) /* and may be known later only */
      break;
    if (core->horizon < horizon) {
      horizon = core->horizon;
      limit = key_limit(base, core_sooner(arrival, horizon));
    }
  }
  core->ready_head = head;
  return late;
}

/* All engines are busy, and none with an event that ends now. */
CORE_INLINE void stretch_engines(struct gpu_replay *replay, struct core *core, uint64_t *keys, uint32_t count,
                                 struct mechanisms on) {
  const uint64_t base = core->now;
  if (!read_engines(core, keys))
    return;
  const struct engine_use late = run_stretch(replay, core, keys, count, on);
  write_engines(core, keys, base);
  if (late.end != CORE_UNKNOWN)
    core_release_engine(core, late.warp, late.end);
  core->accounted = core->now;
}

/* With a constant number of engines their keys stay in registers. */
#define STRETCH(number)                                                                                                \
  case number: {                                                                                                       \
    uint64_t keys[number];                                                                                             \
    stretch_engines(replay, core, keys, number, on);                                                                   \
    break;                                                                                                             \
  }

CORE_INLINE void core_stretch(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  switch (core->busy) {
    STRETCH(1)
    STRETCH(2)
    STRETCH(3)
    STRETCH(4)
  default:
    stretch_engines(replay, core, core->keys, core->busy, on);
  }
}

#endif
