/* Accesses of a replay that miss one of the watched L1s, of all cores, until they are put in order of time.
 *
 * Cores run ahead of each other: what only a core itself uses (its L1s) is looked up when it issues an access; what all
 * share (L2) only when the accesses of all cores can be put in order (cache_watch_streams.h). An access whose lines all
 * watched L1s hold does not get here.
 * Shapes: L1s are "sizes", the fully associative ones, ascending, all behind one look-up; and "others", of which number
 * 0 is the replay's own. A line goes on to L2 behind size s iff its `level` is above s, behind other o iff its bit o is
 * set. Ownership: cache_watch_log_clear frees. Cost: O(lines x others). Threads: one. */
#ifndef MODEL_CACHE_WATCH_LOG_H
#define MODEL_CACHE_WATCH_LOG_H

#include "model/cache/multi_size_lru.h"
#include "model/retime/watch/cache_watch_variants.h"
#include "model/policy/time_heap.h"
#include "trace/code.h"

/* What one access was for the replay's own L1. */
struct watched_access {
  enum trace_op_class op_class;
  const uint32_t *lines; /* [transactions]; the first `to_l2` missed L1, or go to L2 in any case */
  uint32_t transactions, to_l2;
};

struct logged_access {
  uint64_t time;
  uint64_t note;       /* the caller's: where its outcome belongs */
  uint32_t first_line; /* of the core's */
  uint32_t transactions, own_to_l2;
  uint32_t own_missed; /* of these; once served */
  uint32_t most;       /* level of its lines */
  uint32_t core, node; /* node: cache_watch_tree.h */
  uint8_t op_class;
};

struct logged_line {
  uint32_t line, level;
};

struct core_log {
  struct multi_size_lru *levels;  /* of the sizes; NULL: there are none */
  struct cache **others;          /* [others]; [0] is NULL */
  struct logged_access *accesses; /* in order of time */
  uint32_t count, capacity;
  uint32_t served, ordered;  /* so many of the first, at least */
  struct logged_line *lines; /* of these, access after access, ascending */
  uint64_t *missed;          /* [line_capacity][words]: bits */
  uint32_t line_count, line_capacity;
};

struct cache_watch_log {
  uint32_t core_count, size_count, other_count, words;
  uint32_t *sizes;  /* [size_count]: variants of L1, the smallest first */
  uint32_t *others; /* [other_count]: variants of L1 */
  struct core_log *cores;
  uint32_t access_count; /* of all cores */
  struct time_heap heads;
  struct logged_access **order; /* what cache_watch_log_order found */
  uint32_t order_capacity;
};

bool cache_watch_log_init(struct cache_watch_log *log, const struct cache_watch_variants *variants, uint32_t cores);
void cache_watch_log_clear(struct cache_watch_log *log);

/* A core's next access; times do not descend. *missing: it was logged, with `note`; false: all watched L1s hold it.
 * Returns false: out of memory. */
bool cache_watch_log_access(struct cache_watch_log *log, uint32_t core, const struct watched_access *own, uint64_t time,
                            uint64_t note, bool *missing);
/* L2 has answered the core's first access with own.to_l2 > 0 of which it had not. */
void cache_watch_log_served(struct cache_watch_log *log, uint32_t core, uint32_t missed);
/* Puts all accesses before `limit`, by (time, core), in log->order, *count of them. Returns false: out of memory. */
bool cache_watch_log_order(struct cache_watch_log *log, struct time_entry limit, uint32_t *count);
/* Forgets what cache_watch_log_order has put in order. */
void cache_watch_log_forget(struct cache_watch_log *log);

static inline const struct logged_line *cache_watch_log_lines(const struct cache_watch_log *log,
                                                              const struct logged_access *access) {
  return log->cores[access->core].lines + access->first_line;
}

static inline bool cache_watch_log_missed(const struct cache_watch_log *log, const struct logged_access *access,
                                          uint32_t number, uint32_t other) {
  const uint64_t *bits = log->cores[access->core].missed + (size_t)(access->first_line + number) * log->words;
  return bits[other / 64] >> other % 64 & 1;
}

#endif
