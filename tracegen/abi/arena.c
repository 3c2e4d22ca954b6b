/* The arena: address space that is reserved at once and made usable region by region. */
#include "tracegen/abi/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"

#define FOUR_GIB    (UINT64_C(1) << 32)
#define LARGE_BYTES (UINT64_C(2) << 20) /* of a large page of x86-64 and, mostly, of aarch64 */

/* Reserves 4 GiB of address space at a multiple of 4 GiB. No page of it is usable or accounted for yet. Twice the
 * size is mapped first, so that a multiple of 4 GiB lies inside. */
static char *reserve(void) {
  char *memory = mmap(NULL, 2 * FOUR_GIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  const uint64_t skip = (FOUR_GIB - ((uintptr_t)memory & (FOUR_GIB - 1))) & (FOUR_GIB - 1);
  if (skip)
    munmap(memory, skip);
  munmap(memory + skip + FOUR_GIB, FOUR_GIB - skip);
  return memory + skip;
}

static int open_pages(char *memory, uint64_t bytes, int sharing, struct error *error) {
  void *pages = mmap(memory, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return error_set(error, ERROR_WORK, "no memory for %" PRIu64 " bytes of buffers: %s", bytes, strerror(errno));
#ifdef MADV_HUGEPAGE
  if (bytes >= LARGE_BYTES) /* where the system has larger pages for memory that is asked for, they cost fewer faults */
    madvise(pages, bytes, MADV_HUGEPAGE);
#endif
  return 0;
}

int arena_create(struct arena *arena, uint64_t limit, struct error *error) {
  *arena = (struct arena){.used = ARENA_PAGE, .limit = limit < FOUR_GIB ? limit : FOUR_GIB};
  arena->base = reserve();
  arena->local = arena->base ? reserve() : NULL;
  if (arena->local)
    return 0;
  arena_destroy(arena);
  return error_set(error, ERROR_WORK,
                   "cannot reserve 16 GiB of address space for buffers: %s; does a limit (ulimit -v) forbid it?",
                   strerror(errno));
}

void arena_destroy(struct arena *arena) {
  if (arena->base)
    munmap(arena->base, FOUR_GIB);
  if (arena->local)
    munmap(arena->local, FOUR_GIB);
  if (arena->undefined)
    munmap(arena->undefined, FOUR_GIB);
  free(arena->regions);
  *arena = (struct arena){0};
}

static uint64_t pages(uint64_t bytes) {
  return (bytes + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE;
}

int arena_place(struct arena *arena, const char *name, uint64_t bytes, uint32_t *offset, struct error *error) {
  if (bytes > arena->limit || arena->used + pages(bytes) + ARENA_PAGE > arena->limit)
    return error_set(error, ERROR_INPUT,
                     "buffer \"%s\" of %" PRIu64
                     " bytes does not fit: all buffers of a workload together may take %" PRIu64
                     " bytes (the memory limit, and never more than 4 GiB: addresses in traces have 32 bits)",
                     name, bytes, arena->limit);
  if (!array_room_for_one(&arena->regions, arena->region_count, sizeof *arena->regions))
    return error_no_memory(error);
  if (bytes && open_pages(arena->base + arena->used, pages(bytes), MAP_SHARED, error))
    return -1;
  struct arena_region *region = &arena->regions[arena->region_count++];
  *region = (struct arena_region){.offset = arena->used, .bytes = bytes};
  snprintf(region->name, sizeof region->name, "%s", name);
  *offset = (uint32_t)arena->used;
  arena->used += pages(bytes) + ARENA_PAGE;
  return 0;
}

const struct arena_region *arena_region_at(const struct arena *arena, uint64_t offset) {
  size_t low = 0, high = arena->region_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const struct arena_region *r = &arena->regions[middle];
    if (offset < r->offset)
      high = middle;
    else if (offset >= r->offset + r->bytes)
      low = middle + 1;
    else
      return r;
  }
  return NULL;
}

int arena_allow_undefined(struct arena *arena, struct error *error) {
  if (arena->undefined)
    return 0;
  void *memory = mmap(NULL, FOUR_GIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return error_set(error, ERROR_WORK, "no memory to tell which bytes of buffers are undefined: %s", strerror(errno));
  arena->undefined = memory;
  return 0;
}

int arena_make_private(const struct arena *arena, const struct arena_region *region, struct error *error) {
  char *memory = arena->base + region->offset, *copy = malloc(region->bytes + 1);
  if (!copy)
    return error_set(error, ERROR_WORK, "no memory for a copy of buffer %s", region->name);
  memcpy(copy, memory, region->bytes);
  const int status = region->bytes ? open_pages(memory, pages(region->bytes), MAP_PRIVATE, error) : 0;
  if (!status)
    memcpy(memory, copy, region->bytes);
  free(copy);
  return status;
}

int arena_local(struct arena *arena, uint64_t bytes, struct error *error) {
  if (bytes >= FOUR_GIB)
    return error_set(error, ERROR_INPUT, "%" PRIu64 " bytes of local memory; at most 4 GiB can be addressed", bytes);
  if (bytes <= arena->local_bytes)
    return 0;
  if (open_pages(arena->local, pages(bytes), MAP_PRIVATE, error))
    return -1;
  arena->local_bytes = pages(bytes);
  return 0;
}

int arena_local_create(uint64_t bytes, char **local, struct error *error) {
  *local = reserve();
  if (!*local)
    return error_set(error, ERROR_WORK, "cannot reserve address space for local memory: %s", strerror(errno));
  return bytes ? open_pages(*local, pages(bytes), MAP_PRIVATE, error) : 0;
}

void arena_local_destroy(char *local) {
  if (local)
    munmap(local, FOUR_GIB);
}
