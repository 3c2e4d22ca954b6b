#include "trace/path/pool.h"

#include <stdbool.h>
#include <stdlib.h>

#include <sys/mman.h>
#include <unistd.h>

#include "base/spill.h"

#define FIRST_BYTES ((size_t)64 << 10) /* bytes of the first chunk; each further one has twice as many */
#define LARGE_PAGE  ((size_t)2 << 20)  /* of x86-64 and of AArch64 with pages of 4 KiB */
#define MOST_BYTES  (LARGE_PAGE - sizeof(struct pool_chunk))

#define MOST_SPARE_BYTES ((size_t)16 << 20)

enum chunk_place { IN_MEMORY, IN_LARGE_PAGES, SPILLED, IN_OWN_FILE };

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

/* Returns a chunk in a file, and releases the pages of the chunk before it. Returns NULL if there is no file; the chunk
 * must then be memory. */
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

/* Takes a chunk in large pages, or in small ones where the system has no large ones: a first touch of each small page
 * costs more than what is written to it. */
static struct pool_chunk *chunk_in_large_pages(size_t all) {
  struct pool_chunk *chunk = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (chunk == MAP_FAILED)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise(chunk, all, MADV_HUGEPAGE);
#endif
  return chunk;
}

/* Takes a chunk of `all` bytes, the pool's own or plain memory. NULL: memory ran out. */
static struct pool_chunk *take_chunk(struct pool *p, size_t all, enum chunk_place *place) {
  struct pool_chunk *chunk = chunk_in_file(p, all, place);
  if (!chunk && all >= LARGE_PAGE && (chunk = chunk_in_large_pages(all)))
    *place = IN_LARGE_PAGES;
  return chunk ? chunk : malloc(all);
}

static void use_chunk(struct pool *p, struct pool_chunk *chunk) {
  chunk->before = p->chunks;
  p->chunks = chunk;
  p->left = chunk->bytes;
  p->bytes += chunk->bytes;
}

static bool add_chunk(struct pool *p, size_t bytes) {
  struct pool_chunk *spare = p->spare;
  if (spare && spare->bytes >= bytes) {
    p->spare = spare->before;
    use_chunk(p, spare);
    return true;
  }
  const size_t least = sizeof(struct pool_chunk) + bytes;
  const size_t page = least >= LARGE_PAGE ? LARGE_PAGE : p->file ? (size_t)sysconf(_SC_PAGESIZE) : 1;
  const size_t all = (least + page - 1) / page * page;
  enum chunk_place place = IN_MEMORY;
  struct pool_chunk *chunk = take_chunk(p, all, &place);
  if (!chunk)
    return false;
  *chunk = (struct pool_chunk){.bytes = all - sizeof *chunk, .place = place};
  use_chunk(p, chunk);
  return true;
}

static size_t chunk_for(const struct pool *p, size_t bytes) {
  const size_t twice = p->chunks ? 2 * p->chunks->bytes : FIRST_BYTES, next = twice < MOST_BYTES ? twice : MOST_BYTES;
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

static void free_chunk(struct pool_chunk *chunk) {
  if (chunk->place == IN_OWN_FILE)
    spill_file_unmap(chunk, mapped_bytes(chunk));
  else if (chunk->place == IN_LARGE_PAGES)
    munmap(chunk, mapped_bytes(chunk));
  else if (chunk->place == SPILLED)
    spill_free(chunk, mapped_bytes(chunk));
  else
    free(chunk);
}

static void free_chunks(struct pool_chunk *chunk) {
  for (struct pool_chunk *before; chunk; chunk = before) {
    before = chunk->before;
    free_chunk(chunk);
  }
}

void pool_empty(struct pool *p) {
  struct pool_chunk *spare = p->spare;
  size_t kept = 0;
  for (const struct pool_chunk *c = spare; c; c = c->before)
    kept += c->bytes;
  for (struct pool_chunk *chunk = p->chunks, *before; chunk; chunk = before) {
    before = chunk->before;
    if (chunk->place == IN_LARGE_PAGES && kept + chunk->bytes <= MOST_SPARE_BYTES) {
      kept += chunk->bytes;
      chunk->before = spare;
      spare = chunk;
    } else {
      free_chunk(chunk);
    }
  }
  *p = (struct pool){.spare = spare, .file = p->file, .plain = p->plain};
}

void pool_clear(struct pool *p) {
  free_chunks(p->chunks);
  free_chunks(p->spare);
  *p = (struct pool){.file = p->file, .plain = p->plain};
}
