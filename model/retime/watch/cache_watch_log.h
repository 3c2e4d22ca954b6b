/* The log of a replay's accesses that miss one of the watched L1s, of all cores, until they are put in order of time.
 *
 * Cores run ahead of each other: caches of one core (its L1s) are looked up when it issues an access; the shared L2
 * only when the accesses of all cores can be ordered (cache_watch_streams.h). An access whose lines all watched L1s
 * hold is not logged.
 * Shapes: L1s are "sizes", the fully associative ones in ascending order, which share one look-up; and "others", of
 * which number 0 is the replay's own. A line goes on to L2 behind size s if and only if its `level` is above s, and
 * behind other o if and only if its bit o is set. Ownership: cache_watch_log_clear frees. Cost: O(lines x others).
 * Threads: one. */
#ifndef MODEL_CACHE_WATCH_LOG_H
#define MODEL_CACHE_WATCH_LOG_H

#include "model/cache/multi_size_lru.h"
#include "model/retime/watch/cache_watch_variants.h"
#include "model/policy/time_heap.h"
#include "trace/code.h"

/* The result of one access at the replay's own L1. */
struct watched_access {
  enum trace_op_class op_class;
  const uint32_t *lines; /* [transactions]; the first `to_l2` missed L1, or go to L2 in any case */
  uint32_t transactions, to_l2;
};

struct logged_access {
  uint64_t time;
  uint64_t note;       /* the caller's: the place of its outcome */
  uint32_t first_line; /* number of its first line in the core's lines */
  uint32_t transactions, own_to_l2;
  uint32_t own_missed; /* of these, those that missed L2; set once served */
  uint32_t most;       /* largest level of its lines */
  uint32_t core, node; /* node: cache_watch_tree.h */
  uint8_t op_class;
};

struct logged_line {
  uint32_t line, level;
};

struct core_log {
  struct multi_size_lru *levels;  /* caches of the sizes; NULL: there are none */
  struct cache **others;          /* [others]; [0] is NULL */
  struct logged_access *accesses; /* in order of time */
  uint32_t count, capacity;
  uint32_t served, ordered;  /* at least this many of the first accesses were served; were ordered */
  struct logged_line *lines; /* lines of the accesses, access after access, ascending */
  uint64_t *missed;          /* [line_capacity][words]: bits */
  uint32_t line_count, line_capacity;
};

struct cache_watch_log {
  uint32_t core_count, size_count, other_count, words;
  uint32_t *sizes;  /* [size_count]: variants of L1, the smallest first */
  uint32_t *others; /* [other_count]: variants of L1 */
  struct core_log *cores;
  uint32_t access_count; /* number of accesses of all cores */
  struct time_heap heads;
  struct logged_access **order; /* accesses that cache_watch_log_order put in order */
  uint32_t order_capacity;
};

bool cache_watch_log_init(struct cache_watch_log *log, const struct cache_watch_variants *variants, uint32_t cores);
void cache_watch_log_clear(struct cache_watch_log *log);

/* Looks up a core's next access; times do not descend. *missing tells whether it was logged, with `note`; otherwise all
 * watched L1s hold it. Returns false when out of memory. */
bool cache_watch_log_access(struct cache_watch_log *log, uint32_t core, const struct watched_access *own, uint64_t time,
                            uint64_t note, bool *missing);
/* Notes that L2 has answered the core's first access with own.to_l2 > 0 that it had not answered before. */
void cache_watch_log_served(struct cache_watch_log *log, uint32_t core, uint32_t missed);
/* Puts all accesses before `limit` into log->order, by (time, core); their number is *count. Returns false when out of
 * memory. */
bool cache_watch_log_order(struct cache_watch_log *log, struct time_entry limit, uint32_t *count);
/* Removes the accesses that cache_watch_log_order has put in order. */
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
