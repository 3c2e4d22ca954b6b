/* Seeded random numbers, the same on every machine: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
 * number generators", OOPSLA 2014). */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random_state {
  uint64_t s;
};

static inline uint64_t random_next(struct random_state *r) {
  uint64_t z = (r->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Returns a whole number in [0, n), where n > 0. The bias of the multiplication and shift is below 2^-32 for n <
 * 2^32. */
static inline uint32_t random_below(struct random_state *r, uint32_t n) {
  return (uint32_t)(((random_next(r) >> 32) * n) >> 32);
}

/* Returns a number in [0, 1) with 53 random bits. */
static inline double random_unit(struct random_state *r) {
  return (double)(random_next(r) >> 11) * 0x1.0p-53;
}

#endif
