#include "trace/path/pool.h"

#include <stdbool.h>
#include <stdlib.h>

#include <unistd.h>

#include "base/spill.h"

#define FIRST_BYTES ((size_t)64 << 10) /* then twice as many each time */
#define MOST_BYTES  ((size_t)2 << 20)

enum chunk_place { IN_MEMORY, SPILLED, IN_OWN_FILE };

struct pool_chunk {
  struct pool_chunk *before;
  size_t bytes;
  enum chunk_place place;
  _Alignas(8) char memory[];
};

static size_t mapped_bytes(const struct pool_chunk *c) {
  return sizeof *c + c->bytes;
}

static void let_go(struct pool_chunk *c) {
  if (c && c->place == IN_OWN_FILE)
    spill_file_let_go(c, mapped_bytes(c));
}

/* Takes a chunk out of a file. The one before leaves the process. NULL: it has to be memory. */
static struct pool_chunk *chunk_in_file(struct pool *p, size_t all, enum chunk_place *place) {
  struct pool_chunk *chunk = NULL;
  if (p->file && p->bytes >= p->plain) {
    let_go(p->chunks);
    chunk = spill_file_map(p->file, all);
    *place = IN_OWN_FILE;
  } else if (!p->file && p->bytes + all > POOL_PLAIN_BYTES) {
    chunk = spill_take(all);
    *place = SPILLED;
  }
  if (!chunk)
    *place = IN_MEMORY;
  return chunk;
}

static bool add_chunk(struct pool *p, size_t bytes) {
  const size_t page = p->file ? (size_t)sysconf(_SC_PAGESIZE) : 1;
  const size_t all = (sizeof(struct pool_chunk) + bytes + page - 1) / page * page;
  enum chunk_place place = IN_MEMORY;
  struct pool_chunk *chunk = chunk_in_file(p, all, &place);
  if (!chunk && !(chunk = malloc(all)))
    return false;
  bytes = all - sizeof *chunk;
  *chunk = (struct pool_chunk){.before = p->chunks, .bytes = bytes, .place = place};
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

void pool_let_go(const struct pool *p) {
  for (struct pool_chunk *chunk = p->chunks, *before; chunk; chunk = before) {
    before = chunk->before;
    let_go(chunk);
  }
}

void pool_clear(struct pool *p) {
  for (struct pool_chunk *chunk = p->chunks, *before; chunk; chunk = before) {
    before = chunk->before;
    if (chunk->place == IN_OWN_FILE)
      spill_file_unmap(chunk, mapped_bytes(chunk));
    else if (chunk->place == SPILLED)
      spill_free(chunk, mapped_bytes(chunk));
    else
      free(chunk);
  }
  *p = (struct pool){.file = p->file, .plain = p->plain};
}
