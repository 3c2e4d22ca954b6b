/* Copies and compares short arrays without a call or a loop: most work-items run only a few blocks and accesses, for
 * which a call takes longer than the work. Short arrays are a few words, the last of which may overlap the one before.
 * Internal to trace/. */
#ifndef TRACE_WORDS_H
#define TRACE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void words_copy(uint32_t *to, const uint32_t *from, size_t count) {
  uint64_t first, last;
  if (count > 4)
    memcpy(to, from, count * sizeof *to);
  else if (count >= 2) {
    memcpy(&first, from, sizeof first);
    memcpy(&last, from + count - 2, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy(to + count - 2, &last, sizeof last);
  } else if (count == 1)
    *to = *from;
}

static inline bool blocks_equal(const uint16_t *a, const uint16_t *b, size_t count) {
  if (count > 64)
    return memcmp(a, b, count * sizeof *a) == 0;
  if (count >= 4) {
    uint64_t x, y, different = 0;
    for (size_t i = 0; i + 4 <= count; i += 4) {
      memcpy(&x, a + i, sizeof x);
      memcpy(&y, b + i, sizeof y);
      different |= x ^ y;
    }
    memcpy(&x, a + count - 4, sizeof x);
    memcpy(&y, b + count - 4, sizeof y);
    return (different | (x ^ y)) == 0;
  }
  if (count >= 2) {
    uint32_t a_first, b_first, a_last, b_last;
    memcpy(&a_first, a, sizeof a_first);
    memcpy(&b_first, b, sizeof b_first);
    memcpy(&a_last, a + count - 2, sizeof a_last);
    memcpy(&b_last, b + count - 2, sizeof b_last);
    return ((a_first ^ b_first) | (a_last ^ b_last)) == 0;
  }
  return count == 0 || *a == *b;
}

#endif
