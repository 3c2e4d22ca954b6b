/* Slow and simple caches of the reference replay: arrays of ways that are searched. */
#ifndef SUPPORT_REFERENCE_CACHE_H
#define SUPPORT_REFERENCE_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/params/gpu.h"
#include "reference_binomial.h"
#include "reference_replacement.h"

struct reference_cache {
  bool enabled, hash;
  enum replacement_policy policy;
  uint64_t set_count, ways, now;
  struct reference_set *sets;     /* [set_count] */
  struct reference_place *places; /* [set_count][ways] */
  bool expected;                  /* binomial_sets: used in place of the sets above */
  struct reference_binomial binomial;
  uint64_t *dirty;
  uint32_t dirty_count;
  uint64_t tag_lines; /* lines of a tag; places then hold tags */
  uint64_t *held;     /* lines that have been fetched, of tags that are there */
  uint32_t held_count;
};

static inline void reference_cache_make(struct reference_cache *c, bool enabled, int model, int policy, int64_t bytes,
                                        int64_t ways, int64_t line, bool hash) {
  c->enabled = enabled;
  c->policy = (enum replacement_policy)policy;
  c->hash = hash && model == CACHE_EXACT_SETS;
  c->ways = (uint64_t)(model == CACHE_EXACT_SETS ? ways : bytes / line);
  c->set_count = (uint64_t)(bytes / line) / c->ways;
  c->expected = model == CACHE_BINOMIAL_SETS;
  c->binomial = (struct reference_binomial){.sets = (uint64_t)(bytes / line / ways), .ways = (uint64_t)ways};
  c->places = calloc(c->set_count * c->ways, sizeof *c->places);
  c->sets = calloc(c->set_count, sizeof *c->sets);
  for (uint64_t i = 0; i < c->set_count; i++)
    c->sets[i] = (struct reference_set){c->places + i * c->ways, c->ways, i, 0};
}

static inline void reference_cache_clear(struct reference_cache *c) {
  reference_binomial_clear(&c->binomial);
  free(c->dirty);
  free(c->held);
  free(c->places);
  free(c->sets);
}

/* Returns the set of a line. With the hash, the bits of the line number are added modulo two: bit i to bit i modulo
 * log2(sets) of the set. */
static inline uint64_t reference_set(const struct reference_cache *c, uint64_t line) {
  unsigned bits = 0;
  uint64_t set = 0;
  while (UINT64_C(1) << bits < c->set_count)
    bits++;
  for (unsigned i = 0; i < 64 && bits > 0 && c->hash; i++)
    set ^= (line >> i & 1) << i % bits;
  return c->hash ? set : line % c->set_count;
}

/* Cleans a line. Returns whether it was dirty. */
static inline bool reference_clean(struct reference_cache *c, uint64_t line) {
  for (uint32_t i = 0; i < c->dirty_count; i++)
    if (c->dirty[i] == line) {
      c->dirty[i] = c->dirty[--c->dirty_count];
      return true;
    }
  return false;
}

/* Removes a line that is missed by expectation: it leaves now, because nothing tells when it left. */
static inline bool reference_expected_write(struct reference_cache *c, uint64_t line, bool allocate, bool dirty,
                                            struct reference_place *left) {
  uint64_t gone = UINT64_MAX;
  bool hit = reference_binomial_use(&c->binomial, line, allocate, &gone), was_dirty = reference_clean(c, line);
  if (!hit && was_dirty)
    *left = (struct reference_place){.line = line, .taken = true, .dirty = true};
  else if (gone != UINT64_MAX && reference_clean(c, gone))
    *left = (struct reference_place){.line = gone, .taken = true, .dirty = true};
  if ((hit && was_dirty) || ((hit || allocate) && dirty)) {
    c->dirty = realloc(c->dirty, (c->dirty_count + 1) * sizeof *c->dirty);
    c->dirty[c->dirty_count++] = line;
  }
  return hit;
}

/* Makes a cache of which `tag_lines` neighbouring lines share a tag. */
static inline void reference_cache_share_tags(struct reference_cache *c, int64_t tag_lines) {
  if (c->expected)
    return;
  c->tag_lines = (uint64_t)tag_lines;
}

/* Returns the place of a line among those that have been fetched, or held_count. */
static inline uint32_t reference_line_place(const struct reference_cache *c, uint64_t line) {
  uint32_t i = 0;
  while (i < c->held_count && c->held[i] != line)
    i++;
  return i;
}

/* Uses a line of a cache of tags: lines go with their tag. */
static inline bool reference_use_tag(struct reference_cache *c, uint64_t line, bool allocate) {
  const uint64_t tag = line / c->tag_lines;
  const bool held = reference_line_place(c, line) < c->held_count;
  struct reference_place left;
  if (!held && !allocate)
    return false;
  reference_set_use(&c->sets[reference_set(c, tag)], c->policy, tag, true, false, ++c->now, &left);
  for (uint32_t i = 0; left.taken && i < c->held_count;)
    if (c->held[i] / c->tag_lines == left.line)
      c->held[i] = c->held[--c->held_count];
    else
      i++;
  if (!held) {
    c->held = realloc(c->held, (c->held_count + 1) * sizeof *c->held);
    c->held[c->held_count++] = line;
  }
  return held;
}

/* Returns whether a cache that does not decide by expectation holds the line. */
static inline bool reference_cache_holds(const struct reference_cache *c, uint64_t line) {
  const struct reference_set *set = &c->sets[reference_set(c, line)];
  if (c->tag_lines > 1)
    return reference_line_place(c, line) < c->held_count;
  for (uint64_t i = 0; i < set->ways; i++)
    if (set->places[i].taken && set->places[i].line == line)
      return true;
  return false;
}

/* Uses the line; one that the cache does not hold is fetched if `allocate`. A line that is then in the cache becomes
 * dirty if `dirty`. *left becomes the dirty line that was evicted for it, if any (.dirty tells). */
static inline bool reference_cache_write(struct reference_cache *c, uint64_t line, bool allocate, bool dirty,
                                         struct reference_place *left) {
  *left = (struct reference_place){0};
  if (!c->enabled)
    return false;
  if (c->expected)
    return reference_expected_write(c, line, allocate, dirty, left);
  if (c->tag_lines > 1)
    return reference_use_tag(c, line, allocate);
  return reference_set_use(&c->sets[reference_set(c, line)], c->policy, line, allocate, dirty, ++c->now, left);
}

static inline bool reference_cache_use(struct reference_cache *c, uint64_t line, bool allocate) {
  struct reference_place left;
  return reference_cache_write(c, line, allocate, false, &left);
}

#endif
