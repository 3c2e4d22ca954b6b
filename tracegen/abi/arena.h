/* All buffers of a workload in one range of memory, and the local memory of a work-group in another. Private to
 * tracegen.
 *
 * Both ranges start at a multiple of 4 GiB, so that the low half of a host pointer is the 32-bit offset that a trace
 * records.
 * Shapes: region 0 starts at the second page, so that offset 0 is never valid; regions start on pages and are at
 * least a page apart.
 * Ownership: arena_create maps, arena_destroy unmaps. Child processes share the arena.
 * Errors: ERROR_INPUT where buffers do not fit, ERROR_WORK where the host has no memory. */
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
  bool is_constant; /* a constant of the kernel: no buffer, and no store may go there */
};

struct arena {
  char *base;      /* at a multiple of 4 GiB; 4 GiB are reserved */
  char *undefined; /* one byte for each byte of base; 1: undefined; NULL: all are defined */
  char *local;     /* at a multiple of 4 GiB; local memory of the running work-group */
  uint64_t used, limit, local_bytes;
  struct arena_region *regions; /* by offset */
  size_t region_count;
};

/* Creates an arena for at most `limit` bytes of buffers. */
int arena_create(struct arena *arena, uint64_t limit, struct error *error);
void arena_destroy(struct arena *arena);
/* Places a region of `bytes` zero bytes; messages call it `name`. */
int arena_place(struct arena *arena, const char *name, uint64_t bytes, uint32_t *offset, struct error *error);
/* Returns the region that holds byte `offset`, or NULL. */
const struct arena_region *arena_region_at(const struct arena *arena, uint64_t offset);
/* Makes arena->undefined usable, with all bytes defined. */
int arena_allow_undefined(struct arena *arena, struct error *error);
/* Makes the stores of this process to the region invisible to others. */
int arena_make_private(const struct arena *arena, const struct arena_region *region, struct error *error);
/* Makes at least `bytes` of the arena's local memory usable. */
int arena_local(struct arena *arena, uint64_t bytes, struct error *error);
/* Creates local memory for a work-group that runs beside the arena's, with `bytes` zero bytes usable. */
int arena_local_create(uint64_t bytes, char **local, struct error *error);
void arena_local_destroy(char *local); /* NULL: does nothing */

#endif
