/* One range of addresses for all memory that the draws of a frame access.
 *
 * A trace of a draw has addresses of its own. Buffers and images that several draws use have the same name and size
 * in their traces, and get one place here; inputs, outputs and constants are a draw's own. Images that a pass draws
 * to and those that a draw reads are one where number and size agree.
 * Ownership: frame_arena_clear and arena_map_clear free. Errors: more than 4 GiB is ERROR_INPUT; memory.
 * Cost: linear in the shared buffers for each buffer of a trace. Threads: one. */
#ifndef GRAPHICS_FRAME_ARENA_H
#define GRAPHICS_FRAME_ARENA_H

#include <stddef.h>

#include "base/error.h"
#include "trace/trace.h"

struct frame_arena {
  struct trace_buffer *buffers; /* names are owned */
  size_t count, room;
  uint64_t bytes;
};

/* Returns the place of a shared buffer, at a multiple of 64 bytes; *base. */
int frame_arena_share(struct frame_arena *arena, const char *name, uint64_t bytes, uint32_t *base, struct error *error);
/* The place of a buffer that is not shared. */
int frame_arena_own(struct frame_arena *arena, const char *name, uint64_t bytes, uint32_t *base, struct error *error);
void frame_arena_clear(struct frame_arena *arena);

/* Where the buffers of a trace are in the arena. */
struct arena_map {
  const struct trace_header *header;
  uint32_t *bases; /* by buffer of the header */
  uint32_t last;   /* the buffer that was found last */
};

int arena_map_create(struct frame_arena *arena, const struct trace_header *header, struct arena_map *out,
                     struct error *error);
void arena_map_clear(struct arena_map *map);
/* Returns the address in the arena; of an address outside of all buffers the address itself. */
uint32_t arena_map_address(struct arena_map *map, uint32_t address);

#endif
