#include "graphics/tile/frame_arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { ALIGNMENT = 64 };

int frame_arena_own(struct frame_arena *a, const char *name, uint64_t bytes, uint32_t *base, struct error *error) {
  const uint64_t first = (a->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > UINT32_MAX || first + bytes > UINT32_MAX)
    return error_set(error, ERROR_INPUT, "the buffers and images of the frame take more than 4 GiB");
  if (!array_room(&a->buffers, &a->room, a->count + 1, sizeof *a->buffers))
    return error_no_memory(error);
  struct trace_buffer *b = &a->buffers[a->count];
  *b = (struct trace_buffer){.name = strdup(name), .base = (uint32_t)first, .bytes = (uint32_t)bytes};
  if (!b->name)
    return error_no_memory(error);
  a->count++;
  a->bytes = first + bytes;
  *base = b->base;
  return 0;
}

static bool is_shared(const char *name) {
  return strncmp(name, "image-", 6) == 0 || strncmp(name, "buffer-", 7) == 0;
}

int frame_arena_share(struct frame_arena *a, const char *name, uint64_t bytes, uint32_t *base, struct error *error) {
  for (size_t i = 0; i < a->count; i++)
    if (a->buffers[i].bytes == bytes && strcmp(a->buffers[i].name, name) == 0) {
      *base = a->buffers[i].base;
      return 0;
    }
  return frame_arena_own(a, name, bytes, base, error);
}

void frame_arena_clear(struct frame_arena *a) {
  for (size_t i = 0; i < a->count; i++)
    free(a->buffers[i].name);
  free(a->buffers);
  *a = (struct frame_arena){0};
}

int arena_map_create(struct frame_arena *a, const struct trace_header *h, struct arena_map *out, struct error *error) {
  *out = (struct arena_map){.header = h, .bases = calloc(h->buffer_count + 1, sizeof *out->bases)};
  int status = out->bases ? 0 : error_no_memory(error);
  for (uint32_t i = 0; !status && i < h->buffer_count; i++)
    status = (is_shared(h->buffers[i].name) ? frame_arena_share : frame_arena_own)(
        a, h->buffers[i].name, h->buffers[i].bytes, &out->bases[i], error);
  if (status)
    arena_map_clear(out);
  return status;
}

void arena_map_clear(struct arena_map *map) {
  free(map->bases);
  *map = (struct arena_map){0};
}

uint32_t arena_map_address(struct arena_map *map, uint32_t address) {
  for (uint32_t k = 0; k < map->header->buffer_count; k++) {
    const uint32_t i = (map->last + k) % map->header->buffer_count;
    const struct trace_buffer *b = &map->header->buffers[i];
    if (address >= b->base && address - b->base < b->bytes) {
      map->last = i;
      return map->bases[i] + (address - b->base);
    }
  }
  return address;
}
