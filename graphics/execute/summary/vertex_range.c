#include "graphics/execute/summary/vertex_range.h"

#include <vulkan/vulkan_core.h>

/* Returns the primitives of corners between which none restarts. */
static uint64_t primitives_of(const struct frame_pipeline *p, uint64_t corners) {
  switch (p->topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    return corners;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    return corners / 2;
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return corners > 1 ? corners - 1 : 0;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    return corners / 3;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    return corners > 2 ? corners - 2 : 0;
  case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
    return frame_patches(p)->vertices ? corners / frame_patches(p)->vertices : 0;
  default:
    return 0;
  }
}

/* Returns the range of a draw with indices. */
static struct vertex_range range_of_indices(const struct execution *e, const struct frame_draw *d, bool known) {
  const struct frame_pipeline *p = e->bound->pipeline;
  const uint32_t size = execution_index_bytes(e->index_type);
  struct vertex_range r = {.least = UINT32_MAX};
  uint64_t length, run = 0;
  const uint8_t *bytes = storage_buffer(&e->storage, e->index_buffer, &length);
  const uint64_t begin = e->index_offset + (uint64_t)d->first * size;
  if (size == 0 || !bytes || !known || begin > length || (uint64_t)d->count * size > length - begin)
    return r;
  const uint32_t restart = (uint32_t)((UINT64_C(1) << 8 * size) - 1);
  for (uint32_t k = 0; k < d->count; k++) {
    uint32_t index = 0;
    memcpy(&index, bytes + begin + (uint64_t)k * size, size);
    if (p->restarts && index == restart) {
      r.primitives += primitives_of(p, run);
      run = 0;
      continue;
    }
    index += (uint32_t)d->vertex_offset;
    r.least = index < r.least ? index : r.least;
    r.most = index > r.most ? index : r.most;
    run++;
  }
  r.primitives += primitives_of(p, run);
  r.is_known = true;
  return r;
}

struct vertex_range vertex_range_of(const struct execution *e, const struct frame_draw *d, bool known) {
  if (d->indexed)
    return range_of_indices(e, d, known);
  struct vertex_range r = {.is_known = true, .least = 1};
  if (d->count > 0) {
    r.least = d->first;
    r.most = d->first + (d->count - 1);
  }
  r.primitives = primitives_of(e->bound->pipeline, d->count);
  return r;
}
