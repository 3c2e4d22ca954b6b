/* A slow and simple reference of the queues of the memory system, after docs/model.md: accesses stand in one list for
 * each core; lines that are being fetched stand in lists that are searched from end to end. It shares no code with the
 * model. */
#ifndef SUPPORT_REFERENCE_QUEUES_H
#define SUPPORT_REFERENCE_QUEUES_H

#include <math.h>
#include <stdlib.h>

#include "model/params/gpu.h"

struct reference_fills {
  uint64_t *line, *comes;
  uint32_t count;
};

/* Removes lines that have arrived by `now`: no later question is about an earlier time. */
static inline void reference_fills_add(struct reference_fills *f, uint64_t line, uint64_t comes, uint64_t now) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->comes[i] > now) {
      f->line[kept] = f->line[i];
      f->comes[kept++] = f->comes[i];
    }
  f->count = kept;
  f->line = realloc(f->line, (f->count + 1) * sizeof *f->line);
  f->comes = realloc(f->comes, (f->count + 1) * sizeof *f->comes);
  f->line[f->count] = line;
  f->comes[f->count++] = comes;
}

/* Returns the time at which the line arrives if it is under way at `now`, else 0. */
static inline uint64_t reference_fills_find(const struct reference_fills *f, uint64_t line, uint64_t now) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->line[i] == line && f->comes[i] > now)
      return f->comes[i];
  return 0;
}

/* Returns the first time from `now` on at which at most `most` lines are under way. */
static inline uint64_t reference_fills_room(const struct reference_fills *f, uint64_t now, int64_t most) {
  for (;;) {
    uint64_t next = UINT64_MAX;
    int64_t under_way = 0;
    for (uint32_t i = 0; i < f->count; i++)
      if (f->comes[i] > now) {
        under_way++;
        next = f->comes[i] < next ? f->comes[i] : next;
      }
    if (under_way <= most)
      return now;
    now = next;
  }
}

static inline void reference_fills_clear(struct reference_fills *f) {
  free(f->line);
  free(f->comes);
}

static inline uint64_t reference_rate_ticks(double amount, double rate) {
  return rate > 0 ? (uint64_t)llround(amount / rate * 1024) : 0;
}

/* Returns the ticks of lines from `line` on, of those that all lines of a tag take. */
static inline uint64_t reference_share(const struct gpu_spec *spec, double rate, uint64_t line, uint32_t times) {
  const uint64_t lines = (uint64_t)spec->tag_lines, number = line % lines;
  const uint64_t all = rate > 0 ? (uint64_t)llround((double)(spec->line_bytes * spec->tag_lines) / rate * 1024) : 0;
  return (number + times) * all / lines - number * all / lines;
}

static inline uint64_t reference_max(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

struct reference_lines { /* a list that grows */
  uint64_t *line;
  uint32_t count;
};

static inline void reference_lines_add(struct reference_lines *lines, uint64_t line) {
  lines->line = realloc(lines->line, (lines->count + 1) * sizeof *lines->line);
  lines->line[lines->count++] = line;
}

struct reference_carried { /* lines that go to L2 for an access, behind its own, in this order */
  struct reference_lines fetched, evicted;
};

static inline void reference_carried_clear(struct reference_carried *carried) {
  free(carried->fetched.line);
  free(carried->evicted.line);
}

struct reference_pending { /* an access on its way through the load/store unit to L2 */
  uint32_t thread, op, n, passes;
  bool load, timed;
  uint64_t issued, entered, issue, arrives, merged; /* entered: the unit, behind the pipe */
  uint64_t still;                                   /* ticks for which its translation blocks the unit */
  uint64_t *lines;
  bool (*written)[32]; /* bytes of each line that a store writes */
  uint32_t *times;     /* of a line, that each line takes at L2 */
  bool *behind;        /* whether the line goes on to L2 */
  struct reference_carried carried;
  uint32_t *operations, *line_rounds,
      rounds; /* of an atomic: operations and rounds of each line; rounds of all lines */
};

struct reference_way { /* the load/store unit of a core and its link to L2 */
  uint64_t free, link_free;
  uint64_t pipe_free; /* shared with the scratchpad */
  struct reference_fills fills;
  struct reference_pending *pending;
  uint32_t first, count;
};

static inline bool reference_pipe_is_shared(const struct gpu_spec *spec) {
  return spec->local_memory == LOCAL_SCRATCHPAD && spec->scratchpad_shares_pipe;
}

/* Returns the least ticks for which an access of a warp occupies the pipe. */
static inline uint64_t reference_least(const struct gpu_spec *spec) {
  return reference_pipe_is_shared(spec) ? reference_rate_ticks(spec->warp_size, spec->lsu_items_per_cycle) : 0;
}

/* Returns the ticks for which an access of a warp occupies the pipe in addition. */
static inline uint64_t reference_more(const struct gpu_spec *spec) {
  return reference_pipe_is_shared(spec) ? (uint64_t)llround(spec->lsu_access_cycles * 1024) : 0;
}

/* Lets an access that is issued pass the pipe, transaction by transaction. */
static inline void reference_enter(const struct gpu_spec *spec, struct reference_way *way,
                                   struct reference_pending *p) {
  uint64_t first = 0;
  p->entered = p->issued;
  for (uint32_t i = 0; i < p->passes && reference_pipe_is_shared(spec); i++) {
    p->entered = reference_max(p->issued, way->pipe_free);
    way->pipe_free = p->entered + reference_rate_ticks(1, spec->lsu_transactions_per_cycle);
    if (i == 0)
      first = p->entered;
  }
  if (reference_pipe_is_shared(spec) && p->n > 0)
    way->pipe_free = reference_max(way->pipe_free, first + reference_least(spec)) + reference_more(spec);
}

static inline uint32_t reference_behind(const struct reference_pending *p) {
  uint32_t m = 0;
  for (uint32_t i = 0; i < p->n; i++)
    m += p->behind[i];
  return m;
}

static inline uint32_t reference_carried_count(const struct reference_pending *p) {
  return p->carried.fetched.count + p->carried.evicted.count;
}

/* Finds when the access arrives at L2, or leaves the unit if nothing of it goes there. Lines under way do not go
 * there. */
static inline void reference_time(const struct gpu_spec *spec, struct reference_way *way, struct reference_pending *p) {
  uint64_t one = reference_rate_ticks(1, spec->lsu_transactions_per_cycle);
  uint64_t link = reference_rate_ticks((double)spec->line_bytes, spec->l1_l2_bytes_per_cycle);
  if (reference_pipe_is_shared(spec))
    one = 0; /* the pipe took it */
  uint64_t leaves = reference_max(p->entered, way->free) + p->still + (p->passes - 1) * one;
  const uint32_t fetched = p->carried.fetched.count;
  if ((spec->l1_mshrs || spec->merge_misses) && (p->load || fetched > 0)) {
    for (uint32_t i = 0; i < p->n && p->load; i++) {
      uint64_t comes = reference_fills_find(&way->fills, p->lines[i], leaves);
      p->merged = reference_max(p->merged, comes);
      p->behind[i] &= comes == 0;
    }
    int64_t most = spec->l1_mshrs - (p->load ? reference_behind(p) : fetched);
    if (spec->l1_mshrs)
      leaves = reference_fills_room(&way->fills, leaves, most < 0 ? 0 : most);
  }
  uint32_t m = reference_behind(p), more = reference_carried_count(p);
  p->arrives = leaves;
  if (m + more > 0) {
    p->arrives = reference_max(leaves, way->link_free);
    for (uint32_t i = 1; i < m; i++)
      p->arrives += link;
    way->link_free = p->arrives + (m > 0 ? 1 + more : more) * link;
  }
  way->free = reference_max(leaves + one, p->arrives);
  for (uint32_t i = 0; i < (p->load ? m : fetched) && spec->l1_mshrs; i++)
    way->free += link; /* the port of L1 takes the line in */
  p->timed = true;
}

struct reference_slice {
  uint64_t free, dram_free, atomics_free;
  uint64_t unit_free; /* of the unit for atomics of this number */
  struct reference_fills fills;
  uint64_t row[64]; /* open row + 1 of each bank */
};

/* Returns the time at which the slice or unit that executes the line's atomics is free. Slices beyond those of the
 * lines stand for the units. */
static inline uint64_t *reference_unit(const struct gpu_spec *spec, struct reference_slice *slices, uint64_t line) {
  if (spec->l2_atomic_units == 0)
    return &slices[line % (uint64_t)spec->l2_slices].atomics_free;
  uint64_t hash = line * (uint64_t)spec->line_bytes / (uint64_t)spec->l2_atomic_unit_bytes * 0x9e3779b97f4a7c15u;
  return &slices[(hash >> 32) % (uint64_t)spec->l2_atomic_units].unit_free;
}

/* Executes operations of an atomic in a slice or unit, from `time` on. Returns when the last one ends. */
static inline uint64_t reference_slice_execute(const struct gpu_spec *spec, struct reference_slice *slices,
                                               uint64_t line, uint64_t time, uint32_t operations, uint32_t rounds) {
  uint64_t *const is_free = reference_unit(spec, slices, line);
  uint64_t by_operation = reference_max(time, *is_free), by_round = by_operation, last = time;
  for (uint32_t i = 0; i < operations; i++) {
    last = reference_max(last, by_operation);
    by_operation += reference_rate_ticks(1, spec->l2_atomics_per_cycle);
  }
  for (uint32_t i = 0; i < rounds; i++) {
    last = reference_max(last, by_round);
    by_round += reference_rate_ticks(1, spec->l2_atomic_rounds_per_cycle);
  }
  *is_free = operations > 0 ? reference_max(by_operation, by_round) : *is_free;
  return last;
}

/* Lets memory accept a line that is written, at `time` or later. Returns when. */
static inline uint64_t reference_memory_write(const struct gpu_spec *spec, struct reference_slice *slices,
                                              uint64_t line, uint64_t time) {
  struct reference_slice *s = &slices[line % (uint64_t)spec->l2_slices];
  uint64_t taken = reference_max(time, s->dram_free);
  s->dram_free = taken + reference_share(spec, spec->dram_bytes_per_cycle / (double)spec->l2_slices, line, 1);
  if (spec->dram_banks) {
    uint64_t row = line / (uint64_t)spec->l2_slices / (uint64_t)(spec->dram_row_bytes / spec->line_bytes);
    s->row[row % (uint64_t)spec->dram_banks] = row / (uint64_t)spec->dram_banks + 1;
  }
  return taken;
}

/* Serves a line that arrives at its slice at `time`. Returns when it is served. *hit is set by the tags, and when the
 * line is under way already; *merged is then the time when it arrives; *dram becomes its latency behind L2. */
static inline uint64_t reference_slice_serve(const struct gpu_spec *spec, struct reference_slice *slices, uint64_t line,
                                             uint64_t time, uint32_t times, bool *hit, uint64_t *merged,
                                             uint64_t *dram) {
  struct reference_slice *s = &slices[line % (uint64_t)spec->l2_slices];
  uint64_t l2 = reference_share(spec, spec->l2_bytes_per_cycle / (double)spec->l2_slices, line, times);
  uint64_t memory = reference_share(spec, spec->dram_bytes_per_cycle / (double)spec->l2_slices, line, 1);
  uint64_t served = reference_max(time, s->free);
  *merged = spec->l2_mshrs || spec->merge_misses ? reference_fills_find(&s->fills, line, served) : 0;
  if (*merged)
    *hit = true;
  *dram = 0;
  if (!*hit && spec->l2_mshrs)
    served = reference_fills_room(&s->fills, served, spec->l2_mshrs - 1);
  s->free = served + l2;
  if (*hit)
    return served;
  served = reference_max(served, s->dram_free);
  s->dram_free = served + memory;
  *dram = (uint64_t)llround(spec->l2_miss_cycles * 1024);
  if (spec->dram_banks) {
    uint64_t row = line / (uint64_t)spec->l2_slices / (uint64_t)(spec->dram_row_bytes / spec->line_bytes);
    uint64_t bank = row % (uint64_t)spec->dram_banks, number = row / (uint64_t)spec->dram_banks;
    if (s->row[bank] != number + 1)
      *dram += (uint64_t)llround(spec->dram_row_miss_cycles * 1024);
    s->row[bank] = number + 1;
  }
  reference_fills_add(&s->fills, line, served + *dram, s->free - l2);
  return served;
}

#endif
