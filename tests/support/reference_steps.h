/* The reference replay's warps from event to event: ready, at a barrier, asleep, done. */
#ifndef SUPPORT_REFERENCE_STEPS_H
#define SUPPORT_REFERENCE_STEPS_H

#include "reference_in_flight.h"

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
