/* Patterns of accesses at L2: the events of each line that an access sends there, in order.
 *
 * Purpose: accesses with one pattern wait alike in the queues at L2 and behind it, so that a recorded launch stores the
 * number of the pattern in place of lines. Number 0 sends nothing to L2.
 * Shapes: a pattern's own lines come first, then those that it fetches into L1, then those that L1 evicts, as in struct
 * memory_access. Ownership: recorded_patterns_init allocates, recorded_patterns_clear frees. Errors:
 * recorded_patterns_number returns 0 for an access with lines when out of memory, or if there are too many patterns.
 * Cost of a look-up: a hash of the lines. Threads: one writes. */
#ifndef MODEL_RECORDED_PATTERNS_H
#define MODEL_RECORDED_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"

/* The events of a line at L2, as bits. */
enum pattern_use {
  PATTERN_MISSES = 1,
  PATTERN_FETCHES = 2,    /* the line is read from memory */
  PATTERN_PUSHES_OUT = 4, /* a dirty line leaves L2 for it and is written to memory */
  PATTERN_WRITES = 8,     /* the line is written to memory at once */
  PATTERN_WAITS = 16      /* its service lasts until memory accepts it */
};

struct pattern_line {
  uint16_t use;                /* bits of enum pattern_use */
  uint16_t operations, rounds; /* of an atomic: operations on this line and their rounds */
};

struct recorded_pattern {
  uint32_t first;                 /* number of its first line */
  uint16_t own, fetched, evicted; /* numbers of lines */
  uint16_t missed;                /* its own lines that miss L2 */
  uint16_t misses;                /* all its lines that miss L2 */
  uint16_t reads;                 /* lines that are read from memory */
  uint16_t pushed_out;            /* dirty lines that leave L2 */
  uint16_t writes;                /* lines that are written to memory, including these */
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

/* Prepares an empty set of patterns. Returns false when out of memory. */
bool recorded_patterns_init(struct recorded_patterns *patterns);
void recorded_patterns_clear(struct recorded_patterns *patterns);
/* Returns the number of the pattern that has these lines, which is added if it is not known. */
uint16_t recorded_patterns_number(struct recorded_patterns *patterns, const struct pattern_line *lines, uint32_t own,
                                  uint32_t fetched, uint32_t evicted);

static inline uint32_t pattern_lines(const struct recorded_pattern *pattern) {
  return (uint32_t)pattern->own + pattern->fetched + pattern->evicted;
}

#endif
