/* Patterns of accesses at L2: what happens to each line that an access sends there, in order.
 *
 * Purpose: accesses with one pattern wait alike in the queues at L2 and behind it, so that a recorded launch keeps the
 *          number of the pattern in place of lines. Number 0 sends nothing to L2.
 * Shapes: a pattern's own lines come first, then those that it fetches into L1, then those that L1 pushes out, as in
 * struct memory_access. Ownership: recorded_patterns_init allocates, recorded_patterns_clear frees. Errors: 0 from
 * recorded_patterns_number for an access that has lines: out of memory, or too many patterns. Cost of a look-up: a hash
 * of the lines. Threads: one writes. */
#ifndef MODEL_RECORDED_PATTERNS_H
#define MODEL_RECORDED_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"

/* The events of a line at L2, as bits. */
enum pattern_use {
  PATTERN_MISSES = 1,
  PATTERN_FETCHES = 2,    /* it is read from memory */
  PATTERN_PUSHES_OUT = 4, /* a dirty line leaves L2 for it and is written to memory */
  PATTERN_WRITES = 8,     /* it is written to memory at once */
  PATTERN_WAITS = 16      /* its service lasts until memory takes it */
};

struct pattern_line {
  uint16_t use;                /* bits of enum pattern_use */
  uint16_t operations, rounds; /* of an atomic: on this line */
};

struct recorded_pattern {
  uint32_t first;                 /* number of its first line */
  uint16_t own, fetched, evicted; /* lines */
  uint16_t missed;                /* of its own lines */
  uint16_t misses;                /* of all its lines */
  uint16_t reads;                 /* lines that are read from memory */
  uint16_t pushed_out;            /* dirty lines that leave L2 */
  uint16_t writes;                /* lines that are written to memory, those among them */
};

/* The traffic of all cores but one, divided by the traffic of that one. */
struct recorded_others {
  double lines, moved; /* lines to L2; lines between L2 and memory */
  double executed;     /* atomic operations */
};

struct recorded_patterns {
  struct recorded_pattern *patterns; /* [count] */
  struct pattern_line *lines;        /* [line_count] */
  uint32_t count, capacity, line_count, line_capacity;
  struct hash_table by_hash;
};

/* Returns false when memory has run out. */
bool recorded_patterns_init(struct recorded_patterns *patterns);
void recorded_patterns_clear(struct recorded_patterns *patterns);
/* Returns the number of the pattern that has these lines, which is added where it is not known. */
uint16_t recorded_patterns_number(struct recorded_patterns *patterns, const struct pattern_line *lines, uint32_t own,
                                  uint32_t fetched, uint32_t evicted);

static inline uint32_t pattern_lines(const struct recorded_pattern *pattern) {
  return (uint32_t)pattern->own + pattern->fetched + pattern->evicted;
}

#endif
