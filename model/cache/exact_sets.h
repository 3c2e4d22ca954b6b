/* The set-associative cache's insides, for who is in a hurry: a look-up of the usual number of ways, inline.
 * Source of the layout: exact_sets.c. GCC's and clang's vectors are the processor's where it has them, else plain code. */
#ifndef MODEL_EXACT_SETS_H
#define MODEL_EXACT_SETS_H

#include <stddef.h>
#include <string.h>

#include "model/cache/cache.h"

struct set_cache {
  struct cache base;
  uint32_t sets, ways;
  uint32_t mask;   /* sets - 1 when sets is a power of two */
  bool power;      /* it is */
  unsigned fold;   /* log2(sets) with the hash, else 0 */
  uint32_t tags[]; /* [sets][ways], newest first; CACHE_NO_LINE: empty */
};

/* The lowest of the line's groups of so many bits, exclusive or all above; the bits above them do not matter. */
static inline __attribute__((always_inline)) uint32_t sets_folded(uint32_t line, unsigned bits) {
  for (; bits < 32; bits *= 2)
    line ^= line >> bits;
  return line;
}

/* Where the line's set begins. */
static inline __attribute__((always_inline)) size_t sets_at(const struct set_cache *c, uint32_t line) {
  if (c->fold)
    return (size_t)(sets_folded(line, c->fold) & c->mask) * c->ways;
  uint32_t set = c->power ? line & c->mask : line % c->sets;
  return (size_t)set * c->ways;
}

typedef uint32_t sets_four __attribute__((vector_size(16)));
typedef uint64_t sets_two __attribute__((vector_size(16)));

/* A set of four ways: the line becomes the newest; those that were newer than it move on by one. False: it was not
 * there, and nothing was done. No branch but the answer. */
static inline __attribute__((always_inline)) bool sets_touch_four(uint32_t *set, uint32_t line) {
  const sets_four none = {0};
  sets_four tags;
  memcpy(&tags, set, sizeof tags);
  const sets_four found = (sets_four)(tags == line);
  if (!(((sets_two)found)[0] | ((sets_two)found)[1]))
    return false;
  sets_four older = __builtin_shufflevector(none, found, 0, 4, 5, 6); /* than the line: they stay */
  older |= __builtin_shufflevector(none, older, 0, 4, 5, 6);
  older |= __builtin_shufflevector(none, older, 0, 1, 4, 5);
  const sets_four moved = __builtin_shufflevector(none, tags, 0, 4, 5, 6) | (sets_four){line};
  tags = (tags & older) | (moved & ~older);
  memcpy(set, &tags, sizeof tags);
  return true;
}

#endif
