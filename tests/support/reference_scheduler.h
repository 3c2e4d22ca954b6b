/* A slow and simple replay: one clock for the whole GPU that steps to the next tick at which anything ends; arrays that
 * are searched from end to end; caches as plain lists; every warp's events listed beforehand. It follows the rules of
 * docs/model.md and shares only the prices of operations with the model. */
#ifndef SUPPORT_REFERENCE_SCHEDULER_H
#define SUPPORT_REFERENCE_SCHEDULER_H

#include "reference_dispatch.h"
#include "reference_pick.h"
#include "reference_ports.h"
#include "reference_queued_access.h"
#include "reference_spill.h"

/* Begins a run of the thread. Returns the ticks for which it holds its engine. */
static inline uint64_t reference_start_run(struct reference_gpu *g, uint32_t id, struct reference_thread *t,
                                           const struct reference_event *event) {
  uint64_t *stack = g->result->stacks[id], held = reference_run_ticks(g, event->slots);
  const uint64_t useful = held * event->item_slots / (event->slots * t->warp.items);
  stack[R_ISSUE] += useful;
  stack[R_DIVERGENCE] += held - useful;
  held += reference_spill(g, id, event->slots, held);
  for (uint32_t i = 0; i < event->code.count; i++)
    if (!reference_cache_use(&g->cores[id].instructions, event->code.lines[i], true)) {
      g->result->instruction_misses++;
      stack[R_FETCH] += reference_ticks(g->spec->instruction_miss_cycles);
      held += reference_ticks(g->spec->instruction_miss_cycles);
    }
  const uint64_t end = reference_pipes(g->spec, g->cores[id].pipe_free, event->pipes, g->now);
  t->latency = end > g->now + held ? end - g->now - held : 0;
  t->waits = R_PIPE;
  return held;
}

static inline void reference_start_event(struct reference_gpu *g, uint32_t id, uint32_t index) {
  struct reference_thread *t = &g->cores[id].threads[index];
  if (!reference_let_in(g, &g->cores[id], t))
    return;
  reference_merge(g, &t->warp.events[t->at]);
  const struct reference_event *event = &t->warp.events[t->at];
  uint64_t *stack = g->result->stacks[id], parts[R_COUNT] = {0}, held = 0, ticks;
  uint32_t passes;
  int port;
  g->result->memory_accesses += event->kind == REFERENCE_ACCESS;
  if (event->kind == REFERENCE_RUN) {
    held = reference_start_run(g, id, t, event);
  } else if (event->kind == REFERENCE_BARRIER) {
    held = reference_ticks(g->spec->barrier_cycles);
    stack[R_BARRIER] += held;
  } else if ((port = reference_port(g, id, event, &passes, &ticks)) != R_COUNT) {
    held = g->spec->memory == MEMORY_BLOCKING ? ticks : reference_issue_ticks(g, passes);
    stack[g->spec->memory == MEMORY_BLOCKING ? port : R_ISSUE] += held;
    t->latency = g->spec->memory == MEMORY_SWITCH_ON_ACCESS ? ticks : 0;
    t->waits = port;
    if (g->spec->memory != MEMORY_BLOCKING)
      reference_record(g, &g->cores[id], t, g->now + held + ticks);
  } else if (g->queued) {
    uint32_t transactions = reference_queue(g, id, index, g->spec->memory != MEMORY_BLOCKING);
    held = UNKNOWN;
    if (g->spec->memory != MEMORY_BLOCKING) {
      held = reference_issue_ticks(g, transactions);
      stack[R_ISSUE] += held;
      t->latency = g->spec->memory == MEMORY_SWITCH_ON_ACCESS ? UNKNOWN : 0;
      t->waits = R_LSU;
      reference_record(g, &g->cores[id], t, UNKNOWN);
    }
  } else {
    uint32_t transactions = reference_access(g, id, index, event, parts);
    uint64_t latency =
        parts[R_STORE] + parts[R_L1] + parts[R_L2] + parts[R_DRAM] + parts[R_ATOMIC] + parts[R_TRANSLATION];
    if (g->spec->memory == MEMORY_BLOCKING) {
      held = latency;
      for (int i = 0; i < R_COUNT; i++)
        stack[i] += parts[i];
    } else {
      held = reference_issue_ticks(g, transactions);
      stack[R_ISSUE] += held;
      t->latency = g->spec->memory == MEMORY_SWITCH_ON_ACCESS ? latency : 0;
      t->waits = parts[R_ATOMIC] > latency - parts[R_ATOMIC]             ? R_ATOMIC
                 : parts[R_TRANSLATION] > latency - parts[R_TRANSLATION] ? R_TRANSLATION
                 : parts[R_DRAM]                                         ? R_DRAM
                 : parts[R_L2]                                           ? R_L2
                 : parts[R_L1]                                           ? R_L1
                                                                         : R_STORE;
      reference_record(g, &g->cores[id], t, g->now + held + latency);
    }
  }
  t->state = R_RUNNING;
  t->until = held == UNKNOWN ? UNKNOWN : g->now + held;
  reference_serve(g, id);
}

static inline uint32_t reference_count(const struct reference_gpu *g, const struct reference_core *core,
                                       enum reference_state state, int waits) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->slots * g->warps; i++)
    n += core->threads[i].state == state && (waits < 0 || core->threads[i].waits == waits);
  return n;
}

/* Executes one round of everything that this core does now. Returns whether it did anything. */
static inline bool reference_round(struct reference_gpu *g, uint32_t id) {
  struct reference_core *core = &g->cores[id];
  bool any = false;
  bool *ends = calloc(g->slots * g->warps, sizeof *ends);
  for (uint32_t i = 0; i < g->slots * g->warps; i++)
    ends[i] = (core->threads[i].state == R_RUNNING || core->threads[i].state == R_SLEEPING) &&
              core->threads[i].until == g->now;
  for (uint32_t i = 0; i < g->slots * g->warps; i++) {
    any |= ends[i];
    if (ends[i] && core->threads[i].state == R_RUNNING)
      reference_end_event(g, core, i);
    else if (ends[i])
      reference_ready(g, core, i);
  }
  free(ends);
  any |= reference_free_places(g, core);
  for (uint32_t slot = 0; slot < g->slots; slot++)
    any |= reference_arrive(g, core, slot);
  any |= reference_serve(g, id);
  any |= reference_dispatch(g, id);
  int64_t ready;
  while (reference_count(g, core, R_RUNNING, -1) < g->spec->execution_engines &&
         (ready = reference_first_ready(g, core)) >= 0) {
    core->last = (uint32_t)ready;
    core->last_age = core->threads[ready].age;
    reference_start_event(g, id, (uint32_t)ready);
    any = true;
  }
  return any;
}

static inline int reference_idle_reason(const struct reference_gpu *g, const struct reference_core *core) {
  static const int order[] = {R_DRAM, R_BANDWIDTH, R_ATOMIC, R_TRANSLATION, R_L2, R_L1, R_LOCAL, R_UNIFORM, R_LSU};
  for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
    if (reference_count(g, core, R_SLEEPING, order[i]))
      return order[i];
  if (reference_count(g, core, R_PARKED, -1))
    return R_LSU;
  if (reference_count(g, core, R_SLEEPING, R_PIPE))
    return R_PIPE;
  if (reference_count(g, core, R_SLEEPING, R_STORE))
    return R_STORE;
  if (reference_count(g, core, R_AT_BARRIER, -1))
    return R_BARRIER;
  for (uint32_t slot = 0; slot < g->slots; slot++)
    if (core->groups[slot].taken && !core->groups[slot].arrived)
      return R_LAUNCH;
  return R_IDLE;
}

/* Returns the next time at which anything ends, or UINT64_MAX when nothing will. */
static inline uint64_t reference_next_time(const struct reference_gpu *g) {
  uint64_t next = UINT64_MAX;
  for (int64_t c = 0; c < g->spec->cores; c++) {
    const struct reference_core *core = &g->cores[c];
    for (uint32_t i = 0; i < g->slots * g->warps; i++)
      if ((core->threads[i].state == R_RUNNING || core->threads[i].state == R_SLEEPING) &&
          core->threads[i].until < next && core->threads[i].until != UNKNOWN)
        next = core->threads[i].until;
    if (core->way.first < core->way.count && core->way.pending[core->way.first].arrives < next)
      next = core->way.pending[core->way.first].arrives;
    for (uint32_t i = 0; i < g->slots; i++)
      if (core->groups[i].taken && !core->groups[i].arrived && core->groups[i].arrival < next)
        next = core->groups[i].arrival;
    for (int64_t i = 0; i < g->spec->core_accesses_in_flight; i++)
      if (core->places[i] != 0 && core->places[i] != UINT64_MAX && core->places[i] - 1 < next)
        next = core->places[i] - 1;
  }
  return next;
}

static inline void reference_wait(struct reference_gpu *g, uint64_t until) {
  for (int64_t c = 0; c < g->spec->cores; c++) {
    uint64_t idle = (uint64_t)g->spec->execution_engines - reference_count(g, &g->cores[c], R_RUNNING, -1);
    g->result->stacks[c][reference_idle_reason(g, &g->cores[c])] += idle * (until - g->now);
  }
  g->now = until;
}

static inline void reference_make(struct reference_gpu *g) {
  uint32_t items = trace_local_size(&g->trace->header);
  g->warps = reference_warp_count(g->trace, g->spec);
  g->slots = (uint32_t)(g->spec->threads_per_core / items);
  while (g->spec->work_groups_per_core && g->slots > g->spec->work_groups_per_core)
    g->slots--;
  while (!reference_registers_fit(g, g->slots))
    g->slots--;
  while (g->spec->local_memory == LOCAL_SCRATCHPAD && g->spec->scratchpad_bytes &&
         (uint64_t)g->slots * g->trace->header.local_bytes > (uint64_t)g->spec->scratchpad_bytes)
    g->slots--;
  if (g->slots > g->trace->group_count)
    g->slots = g->trace->group_count;
  if (g->slots == 0)
    g->slots = 1;
  g->given = calloc(g->trace->group_count, sizeof *g->given);
  g->cores = calloc((size_t)g->spec->cores, sizeof *g->cores);
  g->result->stacks = calloc((size_t)g->spec->cores, sizeof *g->result->stacks);
  reference_cache_make(
      &g->l2, g->spec->l2_enabled, g->spec->l2_model, g->spec->l2_replacement, g->spec->l2_bytes, g->spec->l2_ways,
      reference_tag_bytes(g->spec, g->spec->l2_model, g->spec->l2_write == L2_WRITE_BACK), g->spec->l2_index_hash);
  reference_cache_share_tags(&g->l2, g->spec->l2_write == L2_WRITE_BACK ? 1 : g->spec->tag_lines);
  reference_tlbs_make(g);
  for (uint32_t c = 0; c < g->spec->cores; c++) {
    struct reference_core *core = &g->cores[c];
    core->groups = calloc(g->slots, sizeof *core->groups);
    core->threads = calloc((size_t)g->slots * g->warps, sizeof *core->threads);
    core->places = calloc((size_t)g->spec->core_accesses_in_flight + 1, sizeof *core->places);
    reference_cache_make(&core->l1, g->spec->l1_enabled, g->spec->l1_model, g->spec->l1_replacement,
                         reference_l1_bytes(g), g->spec->l1_ways,
                         reference_tag_bytes(g->spec, g->spec->l1_model, g->spec->l1_write == L1_WRITE_BACK),
                         g->spec->l1_index_hash);
    reference_cache_share_tags(&core->l1, g->spec->l1_write == L1_WRITE_BACK ? 1 : g->spec->tag_lines);
    reference_graphics_make(g, core);
    reference_cache_make(&core->uniform_cache, g->spec->uniform_cache_bytes > 0, CACHE_REUSE_DISTANCE, REPLACEMENT_LRU,
                         g->spec->uniform_cache_bytes ? g->spec->uniform_cache_bytes : g->spec->line_bytes, 1,
                         g->spec->line_bytes, false);
    if (g->spec->instruction_cache_bytes)
      reference_cache_make(&core->instructions, true, CACHE_REUSE_DISTANCE, REPLACEMENT_LRU,
                           g->spec->instruction_cache_bytes, 1, g->spec->instruction_line_bytes, false);
  }
}

static inline void reference_clear(struct reference_gpu *g) {
  reference_tlbs_clear(g);
  for (uint32_t c = 0; c < g->spec->cores; c++) {
    for (uint32_t i = 0; i < g->slots * g->warps; i++) {
      reference_warp_clear(&g->cores[c].threads[i].warp);
      free(g->cores[c].threads[i].flights);
    }
    free(g->cores[c].places);
    for (uint32_t i = 0; i < g->cores[c].way.count; i++) {
      free(g->cores[c].way.pending[i].lines);
      free(g->cores[c].way.pending[i].behind);
      free(g->cores[c].way.pending[i].written);
      free(g->cores[c].way.pending[i].times);
      free(g->cores[c].way.pending[i].operations);
      reference_carried_clear(&g->cores[c].way.pending[i].carried);
    }
    free(g->cores[c].way.pending);
    reference_fills_clear(&g->cores[c].way.fills);
    free(g->cores[c].groups);
    free(g->cores[c].threads);
    reference_cache_clear(&g->cores[c].l1);
    reference_graphics_clear(&g->cores[c]);
    reference_cache_clear(&g->cores[c].uniform_cache);
    reference_cache_clear(&g->cores[c].instructions);
  }
  for (uint32_t i = 0; i < 64; i++)
    reference_fills_clear(&g->slices[i].fills);
  free(g->given);
  free(g->parts);
  free(g->cores);
  reference_cache_clear(&g->l2);
}

/* Replays a launch. The caller frees result->stacks. */
static inline void reference_simulate(const struct trace *trace, const struct isa_profile *isa,
                                      const struct gpu_spec *spec, struct reference_result *result) {
  struct reference_gpu g = {
      .trace = trace, .isa = isa, .spec = spec, .result = result, .queued = reference_is_queued(spec)};
  *result = (struct reference_result){0};
  reference_make(&g);
  reference_launch(&g);
  for (;;) {
    for (uint32_t c = 0; c < spec->cores; c++)
      while (reference_round(&g, c))
        ;
    uint64_t next = reference_next_time(&g);
    if (next == UINT64_MAX)
      break;
    reference_wait(&g, next);
  }
  result->ticks = g.now;
  reference_clear(&g);
}

#endif
