/* The reference replay's schedulers, which choose the ready warp that a free execution engine takes. */
#ifndef SUPPORT_REFERENCE_PICK_H
#define SUPPORT_REFERENCE_PICK_H

#include "reference_gpu.h"

/* Returns the key of a warp; the smaller key is taken first. */
static inline uint64_t reference_priority(const struct reference_gpu *g, const struct reference_core *core,
                                          uint32_t i) {
  const struct reference_thread *t = &core->threads[i];
  switch (g->spec->scheduler) {
  case SCHEDULER_OLDEST:
    return t->age;
  case SCHEDULER_ROUND_ROBIN:
    return i > core->last ? i : i + UINT64_C(1000000);
  case SCHEDULER_GREEDY_THEN_OLDEST:
    return t->age == core->last_age ? 0 : t->age + 1;
  case SCHEDULER_TWO_LEVEL: { /* turns of eight places: this one from the last warp on, then the others in order */
    const uint64_t turn = i / 8, here = core->last / 8, places = 1000000;
    const uint64_t turns = turn == here ? 0 : turn > here ? turn - here : turn + places - here;
    return turns * places + (turn == here && i <= core->last ? i % 8 + 8 : i % 8);
  }
  default:
    return t->since;
  }
}

/* Returns the ready warp that the scheduler takes; the older one of two equal ones. */
static inline int64_t reference_first_ready(const struct reference_gpu *g, const struct reference_core *core) {
  int64_t best = -1;
  for (uint32_t i = 0; i < g->slots * g->warps; i++) {
    if (core->threads[i].state != R_READY)
      continue;
    uint64_t mine = reference_priority(g, core, i), least = best < 0 ? 0 : reference_priority(g, core, (uint32_t)best);
    if (best < 0 || mine < least || (mine == least && core->threads[i].age < core->threads[best].age))
      best = i;
  }
  return best;
}

#endif
