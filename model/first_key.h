/* The smallest of a few numbers, with the processor's vectors where it has them (AVX2, asked when the program runs).
 *
 * Who is first in time is asked for every access that reaches what cores share: keys are points in time with a core's
 * number below them, so that no branch depends on who it is. Keys are below 2^63; FIRST_KEY_NONE is larger than any.
 * `count` is a multiple of FIRST_KEY_LANES, at least one. Both ways give the same
 * (tests/unit/test_first_key_is_the_same_with_vectors.c). Cost: O(count / lanes). Threads: any. */
#ifndef MODEL_FIRST_KEY_H
#define MODEL_FIRST_KEY_H

#include <stdint.h>

#define FIRST_KEY_LANES 4
#define FIRST_KEY_NONE  ((uint64_t)INT64_MAX)

typedef uint64_t first_key_function(const uint64_t *keys, uint32_t count);

first_key_function first_key_plain;
/* The fastest way on this machine. */
first_key_function *first_key_choose(void);

static inline uint32_t first_key_room(uint32_t count) {
  return (count + FIRST_KEY_LANES - 1) / FIRST_KEY_LANES * FIRST_KEY_LANES;
}

#endif
