/* How many bytes of a worker's buffer of words the last launch may have left other than 0, so that the next launch
 * clears only these.
 *
 * The number that the emulator keeps for a buffer (struct buffer_exchange) is 0 at first and after a failure; then any
 * byte may differ from 0. Otherwise it is the number of bytes plus 1. Errors: none. Threads: pure functions. */
#ifndef GRAPHICS_HELD_WORDS_H
#define GRAPHICS_HELD_WORDS_H

#include <stdint.h>
#include <string.h>

/* Clears what may differ from 0 behind the first `filled` bytes of a buffer of `all` bytes. */
static inline void held_words_clear_rest(char *memory, uint64_t filled, uint64_t all, uint64_t held) {
  const uint64_t end = held > 0 && held - 1 < all ? held - 1 : all;
  if (end > filled)
    memset(memory + filled, 0, end - filled);
}

/* Returns the number to keep for a launch that may write `bytes` bytes. */
static inline uint64_t held_words_of(uint64_t bytes) {
  return bytes + 1;
}

#endif
