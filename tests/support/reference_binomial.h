/* A slow and simple reference of the cache that is corrected for associativity: all lines in order of use in one array,
 * and the probability of a hit from the distribution of the number of lines in between that fell into the set. */
#ifndef SUPPORT_REFERENCE_BINOMIAL_H
#define SUPPORT_REFERENCE_BINOMIAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct reference_binomial {
  uint64_t sets, ways;
  uint64_t *lines; /* [count], newest first: every line that may still hit */
  uint32_t *steps; /* [count]: hits at this distance, in 1/64 */
  uint32_t count, known;
  int carry;
  double *chance; /* [ways]: probability that so many of `known` - 1 lines are in one set */
};

/* Adds one more line that falls into a set at random: chance[k] becomes that of k lines in the set; the probability of
 * `ways` or more is dropped. */
static inline void reference_binomial_fall(struct reference_binomial *b) {
  for (uint64_t k = b->ways; k-- > 0;)
    b->chance[k] = b->chance[k] * (1 - 1.0 / (double)b->sets) + (k > 0 ? b->chance[k - 1] / (double)b->sets : 0);
}

static inline uint32_t reference_binomial_steps(struct reference_binomial *b, uint32_t distance) {
  if (b->known == 0) {
    b->chance = calloc(b->ways, sizeof *b->chance);
    b->chance[0] = 1;
  }
  for (; b->known <= distance; b->known++) {
    double sum = 0;
    if (b->known > 0)
      reference_binomial_fall(b);
    for (uint64_t k = 0; k < b->ways; k++)
      sum += b->chance[k];
    b->steps = realloc(b->steps, (b->known + 1) * sizeof *b->steps);
    b->steps[b->known] = (uint32_t)ceil(sum * 64 - 0.5 - 1e-9); /* rounded, halves down */
  }
  return b->steps[distance];
}

/* Sets *left to the line that can no longer hit from now on; it does not change if there is none. */
static inline bool reference_binomial_use(struct reference_binomial *b, uint64_t line, bool allocate, uint64_t *left) {
  uint32_t at = 0;
  while (at < b->count && b->lines[at] != line)
    at++;
  bool hit = false;
  if (at < b->count) {
    b->carry += (int)reference_binomial_steps(b, at);
    hit = b->carry >= 32;
    b->carry -= hit ? 64 : 0;
  }
  if (!hit && !allocate)
    return false;
  if (at == b->count)
    b->lines = realloc(b->lines, ++b->count * sizeof *b->lines);
  memmove(b->lines + 1, b->lines, at * sizeof *b->lines);
  b->lines[0] = line;
  if (reference_binomial_steps(b, b->count - 1) == 0)
    *left = b->lines[--b->count];
  return hit;
}

static inline void reference_binomial_clear(struct reference_binomial *b) {
  free(b->lines);
  free(b->steps);
  free(b->chance);
}

#endif
