/* How a caller of emulate_workload brings contents of buffers in and takes results out, in place of copies of its own
 * (`contents` of a buffer, `want_buffers`).
 *
 * Shapes: held[i] is the caller's name for what chunk i of the buffer holds, 0 before the first fill; a worker that
 * emulates several launches keeps both memory and names between them, so that a caller writes only what is new. Each
 * buffer has chunk_count(bytes) of them.
 * Ownership: the caller's `user`; memory and names are the emulation's. Threads: the caller's. */
#ifndef TRACEGEN_PROCESS_BUFFER_EXCHANGE_H
#define TRACEGEN_PROCESS_BUFFER_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct buffer_exchange {
  void *user;
  uint64_t (*chunk_count)(uint64_t bytes);
  /* Makes `memory` hold the contents of buffer number `buffer` before the launches. */
  int (*fill)(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error);
  /* Looks at what the launches left in it, and may change it. */
  int (*take)(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error);
};

#endif
