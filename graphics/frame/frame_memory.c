#include "graphics/frame/frame_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool frame_memory_room(void *array, size_t *capacity, size_t need, size_t size) {
  void **at = array;
  if (need <= *capacity)
    return true;
  const size_t more = array_capacity(*capacity, need);
  void *larger = more <= SIZE_MAX / 2 / size ? frame_memory_take(more * size) : NULL;
  if (!larger)
    return false;
  if (*capacity > 0)
    memcpy(larger, *at, *capacity * size);
  frame_memory_give(*at);
  *at = larger;
  *capacity = more;
  return true;
}

#if defined(__linux__) && !defined(REASSEMBLE_SANITIZED) /* which watches the bounds of each block of the C library */

#include <sys/mman.h>

#define HUGE_PAGE       ((size_t)2 << 20)
#define LEAST_BYTES     ((size_t)16 << 10) /* of a block in a slab; smaller ones are the C library's */
#define ALIGNMENT       64
#define MOST_KEPT_BYTES ((size_t)64 << 20)

/* Blocks follow each other in a slab, which begins at a huge page. A slab is used again from its begin when all of its
 * blocks have been given back. What describes it lies elsewhere, so that a block that nothing touches costs nothing. */
struct slab {
  struct slab *next;
  char *begin;
  size_t bytes, used;
  size_t written; /* up to here bytes may differ from 0 */
  size_t blocks;  /* that are taken */
};

static struct slab *slabs;

static size_t round_up(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

/* Maps bytes from a huge page on; NULL: memory runs out. */
static char *map_huge(size_t bytes) {
  const size_t all = bytes + HUGE_PAGE;
  char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  char *begin = memory + (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
  if (begin > memory)
    munmap(memory, (size_t)(begin - memory));
  munmap(begin + bytes, (size_t)(memory + all - begin) - bytes);
  madvise(begin, bytes, MADV_HUGEPAGE); /* both are hints, which a system may lack */
  madvise(begin, bytes, MADV_DONTFORK);
  return begin;
}

static struct slab *add_slab(size_t bytes) {
  struct slab *slab = malloc(sizeof *slab);
  char *begin = slab ? map_huge(bytes) : NULL;
  if (!begin) {
    free(slab);
    return NULL;
  }
  *slab = (struct slab){.next = slabs, .begin = begin, .bytes = bytes};
  return slabs = slab;
}

static struct slab *slab_with_room(size_t bytes) {
  struct slab *slab = slabs;
  while (slab && slab->bytes - slab->used < bytes)
    slab = slab->next;
  return slab ? slab : add_slab(round_up(bytes, HUGE_PAGE));
}

static void *take_of_slab(size_t bytes) {
  struct slab *slab = slab_with_room(bytes);
  if (!slab)
    return NULL;
  char *block = slab->begin + slab->used;
  if (slab->used < slab->written)
    memset(block, 0, slab->written - slab->used < bytes ? slab->written - slab->used : bytes);
  slab->used += bytes;
  slab->written = slab->used > slab->written ? slab->used : slab->written;
  slab->blocks++;
  return block;
}

void *frame_memory_take(size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    return NULL;
  return bytes < LEAST_BYTES ? calloc(1, bytes ? bytes : 1) : take_of_slab(round_up(bytes, ALIGNMENT));
}

/* Unmaps slabs without blocks, as far as they are too many to be kept. */
static void drop_slabs(void) {
  size_t kept = 0;
  for (struct slab **at = &slabs; *at;) {
    struct slab *slab = *at;
    if (slab->blocks || kept + slab->bytes <= MOST_KEPT_BYTES) {
      kept += slab->blocks ? 0 : slab->bytes;
      at = &slab->next;
      continue;
    }
    *at = slab->next;
    munmap(slab->begin, slab->bytes);
    free(slab);
  }
}

static struct slab *slab_of(const char *block) {
  struct slab *slab = slabs;
  while (slab && (block < slab->begin || block >= slab->begin + slab->bytes))
    slab = slab->next;
  return slab;
}

void frame_memory_give(void *memory) {
  struct slab *slab = slab_of(memory);
  if (!slab) {
    free(memory);
    return;
  }
  if (--slab->blocks > 0)
    return;
  slab->used = 0;
  drop_slabs();
}

#else

void *frame_memory_take(size_t bytes) {
  return bytes > SIZE_MAX / 2 ? NULL : calloc(1, bytes ? bytes : 1);
}

void frame_memory_give(void *memory) {
  free(memory);
}

#endif
