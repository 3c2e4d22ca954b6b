/* The dirty lines of a cache: a set of line numbers.
 *
 * The largest number of lines is known beforehand, so that adding never fails. Lines are below CACHE_NO_LINE.
 * Ownership: dirty_lines_init allocates (false: out of memory), dirty_lines_clear frees. Cost: O(1) expected. Threads:
 * one at a time. */
#ifndef MODEL_DIRTY_LINES_H
#define MODEL_DIRTY_LINES_H

#include "base/hash_index.h"

struct dirty_lines {
  struct hash_index index; /* values are 0 */
  uint32_t count;
};

bool dirty_lines_init(struct dirty_lines *set, uint32_t most);
void dirty_lines_clear(struct dirty_lines *set);

static inline void dirty_lines_add(struct dirty_lines *set, uint32_t line) {
  set->count += hash_index_put(&set->index, line, 0);
}

/* Removes the line. Returns whether the set held it. */
static inline bool dirty_lines_remove(struct dirty_lines *set, uint32_t line) {
  const bool there = set->count > 0 && hash_index_remove(&set->index, line);
  set->count -= there;
  return there;
}

#endif
