#include "trace/path/pool.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/spill.h"

#define FIRST_BYTES ((size_t)64 << 10) /* then twice as many each time */
#define MOST_BYTES  ((size_t)2 << 20)

struct pool_chunk {
  struct pool_chunk *before;
  size_t bytes;
  bool spilled;
  _Alignas(8) char memory[];
};

static bool add_chunk(struct pool *p, size_t bytes) {
  const size_t all = sizeof(struct pool_chunk) + bytes;
  struct pool_chunk *chunk = p->bytes + bytes > POOL_PLAIN_BYTES ? spill_take(all) : NULL;
  const bool spilled = chunk;
  if (!spilled && !(chunk = malloc(all)))
    return false;
  *chunk = (struct pool_chunk){.before = p->chunks, .bytes = bytes, .spilled = spilled};
  p->chunks = chunk;
  p->left = bytes;
  p->bytes += bytes;
  return true;
}

static size_t chunk_for(const struct pool *p, size_t bytes) {
  const size_t next = !p->chunks ? FIRST_BYTES : p->chunks->bytes < MOST_BYTES ? 2 * p->chunks->bytes : MOST_BYTES;
  return bytes > next ? bytes : next;
}

void *pool_take(struct pool *p, size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (bytes > p->left && !add_chunk(p, chunk_for(p, bytes)))
    return NULL;
  void *memory = p->chunks->memory + p->chunks->bytes - p->left;
  p->left -= bytes;
  return memory;
}

void pool_give_back(struct pool *p, size_t bytes) {
  p->left += bytes / 8 * 8;
}

void pool_clear(struct pool *p) {
  for (struct pool_chunk *chunk = p->chunks, *before; chunk; chunk = before) {
    before = chunk->before;
    if (chunk->spilled)
      spill_free(chunk, sizeof *chunk + chunk->bytes);
    else
      free(chunk);
  }
  *p = (struct pool){0};
}
