/* The reference replay's memory accesses with queues: into the core's queue, through L2, back to the warp. */
#ifndef SUPPORT_REFERENCE_QUEUED_ACCESS_H
#define SUPPORT_REFERENCE_QUEUED_ACCESS_H

#include "reference_access.h"
#include "reference_steps.h"
#include "reference_texture.h"

static inline bool reference_is_queued(const struct gpu_spec *spec) {
  return spec->lsu_transactions_per_cycle > 0 || spec->lsu_tlb_entries > 0 || spec->texels_per_cycle > 0 ||
         spec->l1_l2_bytes_per_cycle > 0 || spec->merge_misses || spec->l1_mshrs > 0 || spec->l2_mshrs > 0 ||
         spec->l2_bytes_per_cycle > 0 || spec->dram_bytes_per_cycle > 0 || spec->dram_banks > 0 ||
         spec->l2_atomics_per_cycle > 0 || spec->l2_atomic_rounds_per_cycle > 0 || reference_pipe_is_shared(spec);
}

/* Adds the access to its core's queue; L1 is looked up in the order of the queue. Returns its transactions. */
static inline uint32_t reference_queue(struct reference_gpu *g, uint32_t id, uint32_t index, uint64_t issue) {
  struct reference_core *core = &g->cores[id];
  struct reference_thread *t = &core->threads[index];
  const struct reference_event *event = &t->warp.events[t->at];
  int op_class = g->trace->code.ops[event->op].op_class;
  struct reference_access_lines all;
  const uint64_t *lines = all.line;
  struct reference_way *way = &core->way;
  if ((way->count & (way->count + 1)) == 0) /* allocate twice as many and one */
    way->pending = realloc(way->pending, (2 * way->count + 1) * sizeof *way->pending);
  struct reference_pending *p = &way->pending[way->count++];
  uint32_t n = reference_lines(g, id, index, event, &all);
  *p = (struct reference_pending){.thread = index, .op = event->op, .n = n, .load = op_class == OP_LOAD};
  p->issued = g->now;
  p->passes = reference_unit_passes(g->spec, &all, n);
  reference_enter(g->spec, way, p);
  for (uint32_t i = 0; i < n; i++)
    p->still += reference_translate_in_unit(g, core, lines[i]);
  p->still += reference_texture_more(g, event->op, t->warp.items, n);
  p->lines = malloc(n * sizeof *p->lines);
  p->behind = malloc(n * sizeof *p->behind);
  memcpy(p->lines, lines, n * sizeof *lines);
  for (uint32_t i = 0; i < n; i++)
    p->behind[i] = reference_l1(g, core, lines[i], event->op, &p->carried);
  p->written = calloc(n, sizeof *p->written);
  p->times = calloc(n, sizeof *p->times);
  for (uint32_t i = 0; i < n; i++) {
    const bool part = op_class == OP_STORE && reference_partial_on(g->spec);
    const bool whole = part && reference_written(g, id, index, event, lines[i], p->written[i]);
    p->times[i] = part ? reference_store_times(g->spec, &all, n, i, whole) : 1;
  }
  p->operations = calloc(2 * n, sizeof *p->operations);
  p->line_rounds = p->operations + n;
  for (uint32_t i = 0; i < n && op_class == OP_ATOMIC; i++) {
    p->line_rounds[i] = reference_atomic_rounds(g, id, index, event, lines, i, &p->operations[i]);
    p->rounds += p->line_rounds[i];
    g->result->atomics += p->operations[i];
  }
  g->result->atomic_rounds += p->rounds;
  p->issue = issue ? reference_issue_ticks(g, p->passes) : 0;
  return p->passes;
}

/* Serves one line at L2 and behind it, for an access of this class that writes `bytes` of it. Returns when it is
 * served; *dram becomes its latency there. */
static inline uint64_t reference_serve_line(struct reference_gpu *g, uint64_t line, int op_class, uint64_t time,
                                            const bool *bytes, uint32_t times, uint64_t *merged, uint64_t *dram) {
  struct reference_l2_outcome o = reference_l2(g, line, op_class, bytes);
  bool there = !o.fetch;
  uint64_t served = reference_slice_serve(g->spec, g->slices, line, time, times, &there, merged, dram), taken = served;
  reference_count_moved(g, op_class);
  g->result->l2_misses += !o.hit && !*merged;
  g->result->dram_read += !there;
  g->result->dram_written += o.written_count;
  for (uint32_t i = 0; i < o.filled_count; i++)
    reference_memory_write(g->spec, g->slices, o.filled[i], served);
  for (uint32_t i = 0; i < o.written_count; i++)
    taken = reference_memory_write(g->spec, g->slices, o.written[i], served);
  return op_class == OP_STORE && o.own ? taken : served;
}

/* Completes an access that has arrived: parts of its latency, including the queues'. */
static inline void reference_serve_lines(struct reference_gpu *g, struct reference_core *core,
                                         struct reference_pending *p, uint64_t parts[R_COUNT]) {
  bool store = g->trace->code.ops[p->op].op_class == OP_STORE;
  uint64_t wait = 0, merged_behind = 0, executed = 0;
  const uint64_t translation = reference_translate_all(g, core, p->lines, p->behind, p->n, &p->carried);
  parts[R_TRANSLATION] = store ? 0 : translation;
  parts[R_LSU] = p->arrives - p->issued;
  for (uint32_t i = 0; i < p->n; i++) {
    reference_add_latency(g, &parts[store ? R_STORE : R_L1],
                          reference_ticks(store ? g->spec->store_cycles : g->spec->l1_hit_cycles));
    if (!p->behind[i])
      continue;
    uint64_t merged, dram;
    uint64_t served = reference_serve_line(g, p->lines[i], g->trace->code.ops[p->op].op_class, p->arrives,
                                           p->written[i], p->times[i], &merged, &dram);
    wait = reference_max(wait, served - p->arrives);
    if (store)
      continue;
    executed = reference_max(executed, reference_slice_execute(g->spec, g->slices, p->lines[i], served,
                                                               p->operations[i], p->line_rounds[i]));
    reference_add_latency(g, &parts[R_L2], reference_ticks(g->spec->l1_miss_cycles));
    reference_add_latency(g, &parts[R_DRAM], dram);
    merged_behind = reference_max(merged_behind, merged);
    if (p->load)
      reference_fills_add(&core->way.fills, p->lines[i],
                          reference_max(served + dram, merged) + reference_ticks(g->spec->l1_miss_cycles) + translation,
                          p->arrives);
  }
  for (uint32_t i = 0; i < reference_carried_count(p); i++) {
    bool fetched = i < p->carried.fetched.count;
    uint64_t merged, dram;
    uint64_t line = fetched ? p->carried.fetched.line[i] : p->carried.evicted.line[i - p->carried.fetched.count];
    uint64_t served = reference_serve_line(g, line, fetched ? OP_LOAD : OP_STORE, p->arrives, NULL, 1, &merged, &dram);
    if (fetched)
      reference_fills_add(&core->way.fills, line,
                          reference_max(served + dram, merged) + reference_ticks(g->spec->l1_miss_cycles), p->arrives);
  }
  parts[R_BANDWIDTH] = wait;
  parts[R_ATOMIC] = p->rounds * reference_ticks(g->spec->atomic_cycles);
  if (executed > p->arrives + wait)
    parts[R_ATOMIC] += executed - p->arrives - wait;
  uint64_t end = p->arrives + wait; /* then it waits for lines that other accesses fetch */
  if (merged_behind > end) {
    parts[R_DRAM] += merged_behind - end;
    end = merged_behind;
  }
  if (p->merged > end)
    parts[R_L2] += p->merged - end;
}

static inline void reference_served(struct reference_gpu *g, uint32_t id, struct reference_pending *p) {
  struct reference_core *core = &g->cores[id];
  struct reference_thread *t = &core->threads[p->thread];
  uint64_t parts[R_COUNT] = {0}, all = 0, levels = 0;
  reference_serve_lines(g, core, p, parts);
  for (int i = 0; i < R_COUNT; i++)
    all += parts[i];
  levels = all - parts[R_LSU] - parts[R_BANDWIDTH];
  uint64_t done = p->issued + p->issue + all;
  int waits = parts[R_BANDWIDTH] > parts[R_LSU] && parts[R_BANDWIDTH] > levels ? R_BANDWIDTH
              : parts[R_LSU] > levels                                          ? R_LSU
              : parts[R_ATOMIC] > levels - parts[R_ATOMIC]                     ? R_ATOMIC
              : parts[R_TRANSLATION] > levels - parts[R_TRANSLATION]           ? R_TRANSLATION
              : parts[R_DRAM]                                                  ? R_DRAM
              : parts[R_L2]                                                    ? R_L2
              : parts[R_L1]                                                    ? R_L1
                                                                               : R_STORE;
  for (int i = 0; i < R_COUNT && g->spec->memory == MEMORY_BLOCKING; i++)
    g->result->stacks[id][i] += parts[i];
  for (int64_t i = 0; i < g->spec->core_accesses_in_flight && g->spec->memory != MEMORY_BLOCKING; i++)
    if (core->places[i] == UINT64_MAX) {
      core->places[i] = done + 1;
      break;
    }
  for (uint32_t i = 0; i < t->flight_count; i++)
    if (t->flights[i].done == UNKNOWN) {
      t->flights[i].done = done;
      t->flights[i].waits = waits;
      break;
    }
  if (g->spec->memory == MEMORY_BLOCKING)
    t->until = done;
  else if (t->state == R_SLEEPING && t->until == UNKNOWN) { /* under `dependency` it is tested again */
    t->until = g->spec->memory == MEMORY_DEPENDENCY ? g->now : done;
    t->waits = waits;
  } else if (g->spec->memory == MEMORY_SWITCH_ON_ACCESS) {
    t->latency = all;
    t->waits = waits;
  }
}

/* Serves accesses of the core that arrive now, or that nothing delays, one after another. Returns whether there was
 * any. */
static inline bool reference_serve(struct reference_gpu *g, uint32_t id) {
  struct reference_way *way = &g->cores[id].way;
  bool any = false;
  for (; way->first < way->count; way->first++) {
    struct reference_pending *p = &way->pending[way->first];
    if (!p->timed)
      reference_time(g->spec, way, p);
    if (reference_behind(p) + reference_carried_count(p) > 0 && p->arrives > g->now)
      return any;
    reference_served(g, id, p);
    any = true;
  }
  return any;
}

#endif
