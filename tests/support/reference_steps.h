/* The reference replay's warps from event to event: ready, at a barrier, asleep, done; the outstanding access that a
 * warp waits for (dependency), and the core's places for them. */
#ifndef SUPPORT_REFERENCE_STEPS_H
#define SUPPORT_REFERENCE_STEPS_H

#include "reference_gpu.h"

/* Returns, under dependency, the outstanding access that ends last of those that the warp's next event waits for, or
 * NULL. */
static inline const struct reference_flight *reference_holder(const struct reference_gpu *g,
                                                              const struct reference_thread *t) {
  const struct reference_event *event = t->at < t->warp.event_count ? &t->warp.events[t->at] : NULL;
  const struct reference_flight *latest = NULL;
  uint32_t oldest = 0;
  while (oldest < t->flight_count && t->flights[oldest].done <= g->now)
    oldest++;
  bool full = t->flight_count - oldest == g->spec->warp_accesses_in_flight;
  for (uint32_t i = oldest; i < t->flight_count; i++) {
    bool holds = !event || event->kind == REFERENCE_BARRIER ||
                 (event->kind == REFERENCE_USE && t->flights[i].use == event->use) ||
                 (event->kind == REFERENCE_ACCESS && full && i == oldest);
    if (holds && t->flights[i].done > (latest ? latest->done : g->now))
      latest = &t->flights[i];
  }
  return latest;
}

/* Adds an outstanding access that ends at `done`. */
static inline void reference_record(const struct reference_gpu *g, struct reference_core *core,
                                    struct reference_thread *t, uint64_t done) {
  if (g->spec->memory == MEMORY_DEPENDENCY) {
    t->flights = realloc(t->flights, (t->flight_count + 1) * sizeof *t->flights);
    t->flights[t->flight_count++] = (struct reference_flight){done, t->warp.events[t->at].use, t->waits};
  }
  for (int64_t i = 0; i < g->spec->core_accesses_in_flight; i++)
    if (core->places[i] == UINT64_MAX && done != UNKNOWN) { /* the place was taken when the access was admitted */
      core->places[i] = done + 1;
      break;
    }
  t->has_place = false;
}

/* Returns whether the access may start. Otherwise the warp is parked. */
static inline bool reference_let_in(const struct reference_gpu *g, struct reference_core *core,
                                    struct reference_thread *t) {
  if (t->warp.events[t->at].kind != REFERENCE_ACCESS || g->spec->memory == MEMORY_BLOCKING ||
      g->spec->core_accesses_in_flight == 0 || t->has_place)
    return true;
  for (int64_t i = 0; i < g->spec->core_accesses_in_flight; i++)
    if (core->places[i] == 0) {
      core->places[i] = UINT64_MAX;
      return true;
    }
  t->state = R_PARKED;
  t->parked = core->parked++;
  return false;
}

/* Frees the places whose access ends now. The warp that was parked first gets each, if there is one. */
static inline bool reference_free_places(struct reference_gpu *g, struct reference_core *core) {
  bool any = false;
  for (int64_t i = 0; i < g->spec->core_accesses_in_flight; i++) {
    struct reference_thread *first = NULL;
    if (core->places[i] != g->now + 1)
      continue;
    any = true;
    core->places[i] = 0;
    for (uint32_t k = 0; k < g->slots * g->warps; k++) {
      struct reference_thread *t = &core->threads[k];
      if (t->state == R_PARKED && (!first || t->parked < first->parked))
        first = t;
    }
    if (!first)
      continue;
    core->places[i] = UINT64_MAX;
    first->has_place = true;
    first->state = R_READY;
    first->since = g->now;
  }
  return any;
}

static inline void reference_release(struct reference_gpu *g, struct reference_core *core, uint32_t slot);

/* Continues the warp with its next event: it is ready now, or done, or waits for its accesses. */
static inline void reference_ready(struct reference_gpu *g, struct reference_core *core, uint32_t index) {
  struct reference_thread *t = &core->threads[index];
  for (;; t->at++) {
    const struct reference_flight *holder = reference_holder(g, t);
    if (holder) {
      t->state = R_SLEEPING;
      t->until = holder->done;
      t->waits = holder->done == UNKNOWN ? R_LSU : holder->waits;
      return;
    }
    if (t->at == t->warp.event_count || t->warp.events[t->at].kind != REFERENCE_USE)
      break;
  }
  t->since = g->now;
  t->state = t->at < t->warp.event_count ? R_READY : R_DONE;
  if (t->state == R_DONE)
    reference_release(g, core, index / g->warps);
}

/* Continues all live warps of a work-group when they are at the barrier; when none lives, frees the work-group's
 * place. */
static inline void reference_release(struct reference_gpu *g, struct reference_core *core, uint32_t slot) {
  uint32_t live = 0, waiting = 0;
  struct reference_thread *t = &core->threads[slot * g->warps];
  for (uint32_t i = 0; i < g->warps; i++) {
    live += t[i].state != R_DONE;
    waiting += t[i].state == R_AT_BARRIER;
  }
  if (live == 0)
    core->groups[slot].taken = false;
  if (waiting == 0 || waiting < live)
    return;
  for (uint32_t i = 0; i < g->warps; i++)
    if (t[i].state == R_AT_BARRIER)
      t[i].state = R_SLEEPING, t[i].until = g->now, t[i].waits = R_BARRIER;
  for (uint32_t i = 0; i < g->warps; i++)
    if (t[i].state == R_SLEEPING && t[i].waits == R_BARRIER) {
      t[i].waits = R_IDLE;
      reference_ready(g, core, slot * g->warps + i);
    }
}

static inline void reference_end_event(struct reference_gpu *g, struct reference_core *core, uint32_t index) {
  struct reference_thread *t = &core->threads[index];
  const struct reference_event *event = &t->warp.events[t->at++];
  if (event->kind == REFERENCE_BARRIER) {
    t->state = R_AT_BARRIER;
    reference_release(g, core, index / g->warps);
  } else if (t->latency > 0) {
    t->state = R_SLEEPING;
    t->until = t->latency == UNKNOWN ? UNKNOWN : g->now + t->latency;
    t->waits = t->latency == UNKNOWN ? R_LSU : t->waits;
    t->latency = 0;
  } else {
    reference_ready(g, core, index);
  }
}

#endif
