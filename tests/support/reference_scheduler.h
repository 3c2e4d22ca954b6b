/* The slow and obvious replay: one clock for the whole GPU that steps to the next tick at which anything ends; arrays
 * that are searched from end to end; caches as plain lists; every warp's events listed beforehand. It follows the rules
 * of docs/model.md and shares no code with the model but the prices of operations. */
#ifndef SUPPORT_REFERENCE_SCHEDULER_H
#define SUPPORT_REFERENCE_SCHEDULER_H

#include "model/simulate.h"
#include "reference_queues.h"
#include "reference_warp.h"

enum { R_ISSUE, R_DIVERGENCE, R_STORE, R_LSU, R_L1, R_L2, R_DRAM, R_BANDWIDTH, R_BARRIER, R_LAUNCH, R_IDLE, R_COUNT };

struct reference_result {
  uint64_t ticks, (*stacks)[R_COUNT]; /* [cores] */
  uint64_t l1_accesses, l1_misses, l2_accesses, l2_misses, instructions, item_instructions;
};

/* ---- caches: lists of lines, newest first ---- */

struct reference_cache {
  bool enabled, hash;
  uint64_t sets, ways;
  uint64_t *lines; /* [sets][ways], 0: empty, else line + 1 */
};

static inline void reference_cache_make(struct reference_cache *c, bool enabled, int model, int64_t bytes, int64_t ways,
                                        int64_t line, bool hash) {
  c->enabled = enabled;
  c->hash = hash && model == CACHE_EXACT_SETS;
  c->ways = (uint64_t)(model == CACHE_EXACT_SETS ? ways : bytes / line);
  c->sets = (uint64_t)(bytes / line) / c->ways;
  c->lines = calloc(c->sets * c->ways, sizeof *c->lines);
}

/* With the hash the bits of the line number are added modulo two, bit i to bit i modulo log2(sets) of the set. */
static inline uint64_t reference_set(const struct reference_cache *c, uint64_t line) {
  unsigned bits = 0;
  uint64_t set = 0;
  while (UINT64_C(1) << bits < c->sets)
    bits++;
  for (unsigned i = 0; i < 64 && bits > 0 && c->hash; i++)
    set ^= (line >> i & 1) << i % bits;
  return c->hash ? set : line % c->sets;
}

static inline bool reference_cache_use(struct reference_cache *c, uint64_t line, bool allocate) {
  if (!c->enabled)
    return false;
  uint64_t *set = c->lines + reference_set(c, line) * c->ways, way = 0;
  while (way < c->ways && set[way] != line + 1)
    way++;
  bool hit = way < c->ways;
  if (!hit && !allocate)
    return false;
  if (!hit)
    way = c->ways - 1;
  memmove(set + 1, set, way * sizeof *set);
  set[0] = line + 1;
  return hit;
}

/* ---- state ---- */

#define UNKNOWN (UINT64_MAX - 1) /* time of an access that has not been served */

enum reference_state { R_ABSENT, R_READY, R_RUNNING, R_SLEEPING, R_PARKED, R_AT_BARRIER, R_DONE };

struct reference_flight { /* an access that its warp did not wait for */
  uint64_t done;
  uint32_t use;
  int waits;
};

struct reference_thread { /* a resident warp */
  struct reference_warp warp;
  enum reference_state state;
  uint32_t at;         /* event */
  uint64_t since, age; /* READY */
  uint64_t until;      /* RUNNING, SLEEPING */
  uint64_t latency;
  int waits;
  bool has_place;
  uint64_t parked;                  /* PARKED: how many came before */
  struct reference_flight *flights; /* dependency: all of its accesses, in order */
  uint32_t flight_count;
};

struct reference_group {
  bool taken, arrived;
  uint64_t arrival;
  uint32_t group;
};

struct reference_core {
  struct reference_cache l1;
  struct reference_group *groups;
  struct reference_thread *threads;
  uint64_t dispatch_free, age;
  uint32_t last; /* thread that was taken last */
  uint64_t last_age;
  struct reference_way way;
  uint64_t *places, parked; /* [core_accesses_in_flight]: 0 free, else 1 + end of the access */
};

struct reference_gpu {
  const struct trace *trace;
  const struct isa_profile *isa;
  const struct gpu_spec *spec;
  struct reference_core *cores;
  struct reference_cache l2;
  struct reference_slice slices[64];
  bool queued; /* accesses queue */
  struct reference_result *result;
  uint32_t slots, warps;
  bool *given; /* [group_count] */
  uint64_t now;
};

static inline uint64_t reference_ticks(double cycles) {
  return (uint64_t)llround(cycles * 1024);
}

static inline uint64_t reference_run_ticks(const struct reference_gpu *g, uint64_t slots) {
  uint64_t arith = (uint64_t)llround(g->spec->arith_cycles * 1048576);
  return (slots * arith + 524288) / 1048576; /* small traces: no overflow */
}

/* ---- memory ---- */

static inline uint64_t reference_place(const struct reference_gpu *g, uint32_t core, uint32_t thread, uint32_t lane,
                                       const struct trace_op *op, uint32_t address) {
  const struct trace_header *h = &g->trace->header;
  uint64_t local = (h->local_bytes + UINT64_C(127)) / 128 * 128, private = (h->private_bytes + UINT64_C(15)) / 16 * 16;
  uint64_t slot = (uint64_t)core * g->slots + thread / g->warps, behind = UINT64_C(4294967296);
  uint64_t item = slot * trace_local_size(h) + reference_warp_first(g->trace, g->spec, thread % g->warps) + lane;
  if (op->space == SPACE_LOCAL)
    return behind + slot * local + address;
  if (op->space == SPACE_PRIVATE)
    return behind + (uint64_t)g->spec->cores * g->slots * local + item * private + address;
  return address;
}

/* Transactions of an access: distinct lines in ascending order, or every lane's lines. */
static inline uint32_t reference_lines(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                       const struct reference_event *event, uint64_t *lines) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  uint32_t n = 0, bytes = op->bytes ? op->bytes : 1;
  for (uint32_t i = 0; i < event->lane_count; i++) {
    uint64_t first = reference_place(g, core, thread, event->lane[i], op, event->address[i]);
    for (uint64_t line = first / (uint64_t)g->spec->line_bytes;
         line <= (first + bytes - 1) / (uint64_t)g->spec->line_bytes; line++) {
      uint32_t at = n;
      bool known = false;
      while (g->spec->coalesce && at > 0 && lines[at - 1] >= line)
        known |= lines[--at] == line;
      if (known)
        continue;
      memmove(lines + at + 1, lines + at, (n - at) * sizeof *lines);
      lines[at] = line;
      n++;
    }
  }
  return n;
}

static inline uint32_t reference_access(struct reference_gpu *g, uint32_t core, uint32_t thread,
                                        const struct reference_event *event, uint64_t parts[R_COUNT]) {
  uint64_t lines[64 * 40];
  bool behind[64 * 40]; /* goes on to L2 */
  uint32_t n = reference_lines(g, core, thread, event, lines);
  int op_class = g->trace->code.ops[event->op].op_class;
  for (uint32_t i = 0; i < n; i++) {
    behind[i] = true;
    if (op_class == OP_STORE)
      reference_cache_use(&g->cores[core].l1, lines[i], false);
    if (op_class == OP_LOAD) {
      behind[i] = !reference_cache_use(&g->cores[core].l1, lines[i], true);
      g->result->l1_accesses++;
      g->result->l1_misses += behind[i];
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    bool miss = behind[i] && !reference_cache_use(&g->l2, lines[i], true);
    g->result->l2_accesses += behind[i];
    g->result->l2_misses += miss;
    if (op_class == OP_STORE) {
      parts[R_STORE] += reference_ticks(g->spec->store_cycles);
      continue;
    }
    parts[R_L1] += reference_ticks(g->spec->l1_hit_cycles);
    parts[R_L2] += behind[i] ? reference_ticks(g->spec->l1_miss_cycles) : 0;
    parts[R_DRAM] += miss ? reference_ticks(g->spec->l2_miss_cycles) : 0;
  }
  return n;
}

/* ---- warps ---- */

static inline void reference_release(struct reference_gpu *g, struct reference_core *core, uint32_t slot);

/* dependency: the access in flight that ends last of those that the warp's next event waits for, or NULL. */
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
                 (event->kind == REFERENCE_USE && t->flights[i].use == event->op) ||
                 (event->kind == REFERENCE_ACCESS && full && i == oldest);
    if (holds && t->flights[i].done > (latest ? latest->done : g->now))
      latest = &t->flights[i];
  }
  return latest;
}

/* The warp goes on to its next event: ready now, or done, or waits for its accesses. */
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

/* When all live warps of a work-group stand at the barrier, they go on; when none lives, the work-group's place is
 * free. */
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

/* An access that will end at `done` is in flight. */
static inline void reference_record(const struct reference_gpu *g, struct reference_core *core,
                                    struct reference_thread *t, uint32_t op_index, uint64_t done) {
  const struct trace_op *op = &g->trace->code.ops[op_index];
  if (g->spec->memory == MEMORY_DEPENDENCY) {
    t->flights = realloc(t->flights, (t->flight_count + 1) * sizeof *t->flights);
    t->flights[t->flight_count++] =
        (struct reference_flight){done, op->op_class == OP_STORE ? TRACE_NO_OP : op->first_use, t->waits};
  }
  for (int64_t i = 0; i < g->spec->core_accesses_in_flight; i++)
    if (core->places[i] == UINT64_MAX && done != UNKNOWN) { /* taken when the access was let in */
      core->places[i] = done + 1;
      break;
    }
  t->has_place = false;
}

/* True: the access may start. Otherwise the warp is parked. */
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

/* Places whose access ends now: the warp that was parked first gets each, if there is one. */
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

static inline bool reference_is_queued(const struct gpu_spec *spec) {
  return spec->lsu_transactions_per_cycle > 0 || spec->l1_l2_bytes_per_cycle > 0 || spec->l1_mshrs > 0 ||
         spec->l2_mshrs > 0 || spec->l2_bytes_per_cycle > 0 || spec->dram_bytes_per_cycle > 0 || spec->dram_banks > 0;
}

/* The access joins its core's queue; L1 is looked up in the order of the queue. Returns its transactions. */
static inline uint32_t reference_queue(struct reference_gpu *g, uint32_t id, uint32_t index, uint64_t issue) {
  struct reference_core *core = &g->cores[id];
  struct reference_thread *t = &core->threads[index];
  const struct reference_event *event = &t->warp.events[t->at];
  int op_class = g->trace->code.ops[event->op].op_class;
  uint64_t lines[64 * 40];
  struct reference_way *way = &core->way;
  if ((way->count & (way->count + 1)) == 0) /* room for twice as many and one */
    way->pending = realloc(way->pending, (2 * way->count + 1) * sizeof *way->pending);
  struct reference_pending *p = &way->pending[way->count++];
  uint32_t n = reference_lines(g, id, index, event, lines);
  *p = (struct reference_pending){.thread = index, .op = event->op, .n = n, .load = op_class == OP_LOAD};
  p->issued = g->now;
  p->lines = malloc(n * sizeof *p->lines);
  p->behind = malloc(n * sizeof *p->behind);
  memcpy(p->lines, lines, n * sizeof *lines);
  for (uint32_t i = 0; i < n; i++) {
    bool hit = op_class != OP_ATOMIC && reference_cache_use(&core->l1, lines[i], p->load);
    p->behind[i] = !p->load || !hit;
    g->result->l1_accesses += p->load;
    g->result->l1_misses += p->load && !hit;
  }
  p->issue = issue ? reference_run_ticks(g, n * UINT64_C(1024)) : 0;
  return n;
}

/* What an access costs that has arrived: parts of its latency, with the queues'. */
static inline void reference_serve_lines(struct reference_gpu *g, struct reference_core *core,
                                         struct reference_pending *p, uint64_t parts[R_COUNT]) {
  bool store = g->trace->code.ops[p->op].op_class == OP_STORE;
  uint64_t wait = 0, merged_behind = 0;
  parts[R_LSU] = p->arrives - p->issued;
  for (uint32_t i = 0; i < p->n; i++) {
    parts[store ? R_STORE : R_L1] += reference_ticks(store ? g->spec->store_cycles : g->spec->l1_hit_cycles);
    if (!p->behind[i])
      continue;
    uint64_t merged, dram;
    bool hit = reference_cache_use(&g->l2, p->lines[i], true);
    uint64_t served = reference_slice_serve(g->spec, g->slices, p->lines[i], p->arrives, &hit, &merged, &dram);
    g->result->l2_accesses++;
    g->result->l2_misses += !hit;
    wait = reference_max(wait, served - p->arrives);
    if (store)
      continue;
    parts[R_L2] += reference_ticks(g->spec->l1_miss_cycles);
    parts[R_DRAM] += dram;
    merged_behind = reference_max(merged_behind, merged);
    if (p->load)
      reference_fills_add(&core->way.fills, p->lines[i],
                          reference_max(served + dram, merged) + reference_ticks(g->spec->l1_miss_cycles), p->arrives);
  }
  parts[R_BANDWIDTH] = wait;
  uint64_t end = p->arrives + wait; /* then lines that others fetch are waited for */
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
  else if (t->state == R_SLEEPING && t->until == UNKNOWN) { /* under `dependency` it looks again */
    t->until = g->spec->memory == MEMORY_DEPENDENCY ? g->now : done;
    t->waits = waits;
  } else if (g->spec->memory == MEMORY_SWITCH_ON_ACCESS) {
    t->latency = all;
    t->waits = waits;
  }
}

/* Accesses of the core that arrive now, or that nothing holds up, one after another; true if there was any. */
static inline bool reference_serve(struct reference_gpu *g, uint32_t id) {
  struct reference_way *way = &g->cores[id].way;
  bool any = false;
  for (; way->first < way->count; way->first++) {
    struct reference_pending *p = &way->pending[way->first];
    if (!p->timed)
      reference_time(g->spec, way, p);
    if (reference_behind(p) > 0 && p->arrives > g->now)
      return any;
    reference_served(g, id, p);
    any = true;
  }
  return any;
}

static inline void reference_start_event(struct reference_gpu *g, uint32_t id, uint32_t index) {
  struct reference_thread *t = &g->cores[id].threads[index];
  if (!reference_let_in(g, &g->cores[id], t))
    return;
  const struct reference_event *event = &t->warp.events[t->at];
  uint64_t *stack = g->result->stacks[id], parts[R_COUNT] = {0}, held = 0;
  if (event->kind == REFERENCE_RUN) {
    held = reference_run_ticks(g, event->slots);
    uint64_t useful = held * event->item_slots / (event->slots * t->warp.items);
    stack[R_ISSUE] += useful;
    stack[R_DIVERGENCE] += held - useful;
  } else if (event->kind == REFERENCE_BARRIER) {
    held = reference_ticks(g->spec->barrier_cycles);
    stack[R_BARRIER] += held;
  } else if (g->queued) {
    uint32_t transactions = reference_queue(g, id, index, g->spec->memory != MEMORY_BLOCKING);
    held = UNKNOWN;
    if (g->spec->memory != MEMORY_BLOCKING) {
      held = reference_run_ticks(g, transactions * UINT64_C(1024));
      stack[R_ISSUE] += held;
      t->latency = g->spec->memory == MEMORY_SWITCH_ON_ACCESS ? UNKNOWN : 0;
      t->waits = R_LSU;
      reference_record(g, &g->cores[id], t, event->op, UNKNOWN);
    }
  } else {
    uint32_t transactions = reference_access(g, id, index, event, parts);
    uint64_t latency = parts[R_STORE] + parts[R_L1] + parts[R_L2] + parts[R_DRAM];
    if (g->spec->memory == MEMORY_BLOCKING) {
      held = latency;
      for (int i = 0; i < R_COUNT; i++)
        stack[i] += parts[i];
    } else {
      held = reference_run_ticks(g, transactions * UINT64_C(1024));
      stack[R_ISSUE] += held;
      t->latency = g->spec->memory == MEMORY_SWITCH_ON_ACCESS ? latency : 0;
      t->waits = parts[R_DRAM] ? R_DRAM : parts[R_L2] ? R_L2 : parts[R_L1] ? R_L1 : R_STORE;
      reference_record(g, &g->cores[id], t, event->op, g->now + held + latency);
    }
  }
  t->state = R_RUNNING;
  t->until = held == UNKNOWN ? UNKNOWN : g->now + held;
  reference_serve(g, id);
}

/* ---- cores ---- */

static inline void reference_give(struct reference_gpu *g, struct reference_core *core, uint32_t group) {
  uint32_t slot = 0;
  while (core->groups[slot].taken)
    slot++;
  if (core->dispatch_free < g->now)
    core->dispatch_free = g->now;
  core->dispatch_free += reference_ticks(g->spec->work_group_cycles);
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

/* The next work-group that the core may take, group_count: none. */
static inline uint32_t reference_next_group(const struct reference_gpu *g, uint32_t core) {
  uint32_t groups = g->trace->group_count, cores = (uint32_t)g->spec->cores, piece = (groups + cores - 1) / cores;
  for (uint32_t i = 0; i < groups; i++) {
    uint32_t owner = g->spec->dispatch == DISPATCH_ROUND_ROBIN ? i % cores
                     : g->spec->dispatch == DISPATCH_CHUNKED   ? i / piece
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

/* Smaller is taken first. */
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
  default:
    return t->since;
  }
}

/* The ready warp that the scheduler takes; the older one if two are equal. */
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

static inline uint32_t reference_count(const struct reference_gpu *g, const struct reference_core *core,
                                       enum reference_state state, int waits) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->slots * g->warps; i++)
    n += core->threads[i].state == state && (waits < 0 || core->threads[i].waits == waits);
  return n;
}

/* Everything that this core does now: one round; true if it did anything. */
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
  static const int order[] = {R_DRAM, R_BANDWIDTH, R_L2, R_L1, R_LSU};
  for (int i = 0; i < 5; i++)
    if (reference_count(g, core, R_SLEEPING, order[i]))
      return order[i];
  if (reference_count(g, core, R_PARKED, -1))
    return R_LSU;
  if (reference_count(g, core, R_SLEEPING, R_STORE))
    return R_STORE;
  if (reference_count(g, core, R_AT_BARRIER, -1))
    return R_BARRIER;
  for (uint32_t slot = 0; slot < g->slots; slot++)
    if (core->groups[slot].taken && !core->groups[slot].arrived)
      return R_LAUNCH;
  return R_IDLE;
}

/* The next time at which anything ends, UINT64_MAX when nothing will. */
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
  uint32_t items = trace_local_size(&g->trace->header), registers = items * g->trace->header.registers;
  g->warps = reference_warp_count(g->trace, g->spec);
  g->slots =
      (uint32_t)(g->spec->work_groups_per_core ? g->spec->work_groups_per_core : g->spec->threads_per_core / items);
  while (g->spec->registers_per_core && g->slots * registers > g->spec->registers_per_core)
    g->slots--;
  if (g->slots > g->trace->group_count)
    g->slots = g->trace->group_count;
  if (g->slots == 0)
    g->slots = 1;
  g->given = calloc(g->trace->group_count, sizeof *g->given);
  g->cores = calloc((size_t)g->spec->cores, sizeof *g->cores);
  g->result->stacks = calloc((size_t)g->spec->cores, sizeof *g->result->stacks);
  reference_cache_make(&g->l2, g->spec->l2_enabled, g->spec->l2_model, g->spec->l2_bytes, g->spec->l2_ways,
                       g->spec->line_bytes, g->spec->l2_index_hash);
  for (uint32_t c = 0; c < g->spec->cores; c++) {
    struct reference_core *core = &g->cores[c];
    core->groups = calloc(g->slots, sizeof *core->groups);
    core->threads = calloc((size_t)g->slots * g->warps, sizeof *core->threads);
    core->places = calloc((size_t)g->spec->core_accesses_in_flight + 1, sizeof *core->places);
    reference_cache_make(&core->l1, g->spec->l1_enabled, g->spec->l1_model, g->spec->l1_bytes, g->spec->l1_ways,
                         g->spec->line_bytes, g->spec->l1_index_hash);
  }
}

static inline void reference_clear(struct reference_gpu *g) {
  for (uint32_t c = 0; c < g->spec->cores; c++) {
    for (uint32_t i = 0; i < g->slots * g->warps; i++) {
      reference_warp_clear(&g->cores[c].threads[i].warp);
      free(g->cores[c].threads[i].flights);
    }
    free(g->cores[c].places);
    for (uint32_t i = 0; i < g->cores[c].way.count; i++) {
      free(g->cores[c].way.pending[i].lines);
      free(g->cores[c].way.pending[i].behind);
    }
    free(g->cores[c].way.pending);
    reference_fills_clear(&g->cores[c].way.fills);
    free(g->cores[c].groups);
    free(g->cores[c].threads);
    free(g->cores[c].l1.lines);
  }
  for (uint32_t i = 0; i < 64; i++)
    reference_fills_clear(&g->slices[i].fills);
  free(g->given);
  free(g->cores);
  free(g->l2.lines);
}

/* Launch: the emptiest core, the lowest among equals, gets the next work-group until none has room. */
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

/* The caller frees result->stacks. */
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
