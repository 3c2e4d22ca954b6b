/* Set-associative placement: the set of a cache in which a line may be.
 *
 * The set is the line number modulo the number of sets. With the hash, the line number is divided into groups of as
 * many bits as a set number has, and these are combined by exclusive or, so that no stride of a power of two uses only
 * few sets. Cost: O(1). Threads: read-only. Source of the hash: Gonzalez et al., "Eliminating cache conflict misses
 * through XOR-based placement functions", ICS 1997. */
#ifndef MODEL_SET_PLACEMENT_H
#define MODEL_SET_PLACEMENT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct set_placement {
  uint32_t sets;
  uint32_t mask; /* sets - 1 where sets is a power of two */
  bool power;    /* whether sets is a power of two */
  unsigned fold; /* log2(sets) with the hash, else 0 */
};

/* Returns the placement of `sets` sets, which must be a power of two for the hash. */
static inline struct set_placement set_placement_make(uint32_t sets, bool hash) {
  const bool power = (sets & (sets - 1)) == 0;
  assert(!hash || power);
  return (struct set_placement){sets, sets - 1, power, hash ? (unsigned)__builtin_ctz(sets) : 0};
}

/* Returns the line number's groups of `bits` bits combined by exclusive or; higher bits of the result have no
 * meaning. */
static inline __attribute__((always_inline)) uint32_t set_placement_fold(uint32_t line, unsigned bits) {
  for (; bits < 32; bits *= 2)
    line ^= line >> bits;
  return line;
}

/* Returns the number of the set in which a line may be. */
static inline __attribute__((always_inline)) uint32_t set_placement_of(const struct set_placement *p, uint32_t line) {
  if (p->fold)
    return set_placement_fold(line, p->fold) & p->mask;
  return p->power ? line & p->mask : line % p->sets;
}

#endif
