/* The reference replay's dispatch: which core takes which work-group, and when the warps of it start. */
#ifndef SUPPORT_REFERENCE_DISPATCH_H
#define SUPPORT_REFERENCE_DISPATCH_H

#include "reference_steps.h"

static inline void reference_give(struct reference_gpu *g, struct reference_core *core, uint32_t group) {
  uint32_t slot = 0;
  while (core->groups[slot].taken)
    slot++;
  if (core->dispatch_free < g->now)
    core->dispatch_free = g->now;
  core->dispatch_free += reference_ticks(g->spec->work_group_cycles);
  if (g->trace->fragments && g->spec->fragments_per_cycle > 0)
    core->dispatch_free += reference_ticks(g->trace->fragments[group] / g->spec->fragments_per_cycle);
  g->given[group] = true;
  core->groups[slot] = (struct reference_group){true, false, core->dispatch_free, group};
}

static inline bool reference_arrive(struct reference_gpu *g, struct reference_core *core, uint32_t slot) {
  struct reference_group *group = &core->groups[slot];
  if (!group->taken || group->arrived || group->arrival != g->now)
    return false;
  group->arrived = true;
  struct reference_thread *t = &core->threads[slot * g->warps];
  for (uint32_t i = 0; i < g->warps; i++) {
    reference_warp_clear(&t[i].warp);
    free(t[i].flights);
    t[i] = (struct reference_thread){.state = R_ABSENT, .age = core->age++};
    reference_warp_read(&t[i].warp, g->trace, g->isa, &g->trace->groups[group->group], i, g->spec);
    g->result->instructions += t[i].warp.instructions;
    g->result->item_instructions += t[i].warp.item_instructions;
  }
  for (uint32_t i = 0; i < g->warps; i++)
    reference_ready(g, core, slot * g->warps + i);
  return true;
}

/* Returns the next work-group that the core may take, or group_count if there is none. */
static inline uint32_t reference_next_group(const struct reference_gpu *g, uint32_t core) {
  uint32_t groups = g->trace->group_count, cores = (uint32_t)g->spec->cores, piece = (groups + cores - 1) / cores;
  for (uint32_t i = 0; i < groups; i++) {
    uint32_t owner = g->trace->homes                             ? g->trace->homes[i] % cores
                     : g->spec->dispatch == DISPATCH_ROUND_ROBIN ? i % cores
                     : g->spec->dispatch == DISPATCH_CHUNKED     ? i / piece
                                                                 : core;
    if (!g->given[i] && owner == core)
      return i;
  }
  return groups;
}

static inline bool reference_dispatch(struct reference_gpu *g, uint32_t id) {
  struct reference_core *core = &g->cores[id];
  bool any = false;
  for (uint32_t slot = 0; slot < g->slots; slot++)
    if (!core->groups[slot].taken && reference_next_group(g, id) < g->trace->group_count) {
      reference_give(g, core, reference_next_group(g, id));
      any = true;
      for (uint32_t i = 0; i < g->slots; i++)
        reference_arrive(g, core, i);
      slot = UINT32_MAX; /* a work-group may have ended at once */
    }
  return any;
}

/* Launches: the emptiest core, the lowest among equals, gets the next work-group until none has room. */
static inline void reference_launch(struct reference_gpu *g) {
  g->now = reference_ticks(g->spec->launch_cycles);
  for (uint32_t c = 0; c < g->spec->cores; c++)
    g->result->stacks[c][R_LAUNCH] += g->now * (uint64_t)g->spec->execution_engines;
  for (uint32_t i = 0; i < g->slots; i++)
    for (uint32_t c = 0; c < g->spec->cores; c++) {
      uint32_t next = reference_next_group(g, c);
      if (next < g->trace->group_count)
        reference_give(g, &g->cores[c], next);
    }
}

#endif
