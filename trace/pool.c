#include "trace/pool.h"

#include <stdbool.h>
#include <stdlib.h>

#define CHUNK_BYTES ((size_t)128 << 10)

struct pool_chunk {
  struct pool_chunk *before;
  size_t bytes;
  char memory[];
};

static bool add_chunk(struct pool *p, size_t bytes) {
  struct pool_chunk *chunk = malloc(sizeof *chunk + bytes);
  if (chunk == NULL)
    return false;
  *chunk = (struct pool_chunk){.before = p->chunks, .bytes = bytes};
  p->chunks = chunk;
  p->left = bytes;
  return true;
}

void *pool_take(struct pool *p, size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (bytes > p->left && !add_chunk(p, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES))
    return NULL;
  void *memory = p->chunks->memory + p->chunks->bytes - p->left;
  p->left -= bytes;
  return memory;
}

void pool_clear(struct pool *p) {
  for (struct pool_chunk *chunk = p->chunks, *before; chunk != NULL; chunk = before) {
    before = chunk->before;
    free(chunk);
  }
  *p = (struct pool){0};
}
