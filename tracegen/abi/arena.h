/* All buffers of a workload in one stretch of memory, and the local memory of a work-group in another.
 *
 * Both start at a multiple of 4 GiB, so that the low half of a host pointer is the 32-bit offset that a trace records.
 * Shapes: region 0 starts at one page (offset 0 is never valid); regions start on pages and are a page apart or more.
 * Ownership: arena_create maps, arena_destroy unmaps. The arena is shared with child processes. */
#ifndef TRACEGEN_ARENA_H
#define TRACEGEN_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define ARENA_PAGE 4096u

struct arena_region {
  char name[64];
  uint64_t offset, bytes;
  bool is_constant; /* a kernel's own: no buffer, and nothing may be stored there */
};

struct arena {
  char *base;      /* a multiple of 4 GiB; 4 GiB are reserved */
  char *undefined; /* a byte for each of base's, 1 where the contents are undefined; NULL: all are defined */
  char *local;     /* a multiple of 4 GiB; memory of the running work-group */
  uint64_t used, limit, local_bytes;
  struct arena_region *regions; /* in order of offset */
  size_t region_count, region_capacity;
};

/* `limit`: at most so many bytes of buffers. */
int arena_create(struct arena *arena, uint64_t limit, struct error *error);
void arena_destroy(struct arena *arena);
/* Room for `bytes`, zeroed; `name` is what messages call it. */
int arena_place(struct arena *arena, const char *name, uint64_t bytes, uint32_t *offset, struct error *error);
/* The region that holds byte `offset`, or NULL. */
const struct arena_region *arena_region_at(const struct arena *arena, uint64_t offset);
/* Makes arena->undefined usable. */
int arena_allow_undefined(struct arena *arena, struct error *error);
/* What this process stores in the region is from here on seen by it alone. */
int arena_make_private(const struct arena *arena, const struct arena_region *region, struct error *error);
/* Makes at least `bytes` of local memory usable. */
int arena_local(struct arena *arena, uint64_t bytes, struct error *error);
/* Local memory like that, for a work-group that runs beside the arena's; zeroed. */
int arena_local_create(uint64_t bytes, char **local, struct error *error);
void arena_local_destroy(char *local); /* NULL: nothing happens */

#endif
