/* Primitive assembly: the corners of a draw become points, lines and triangles. Vulkan 1.3, section 21.1. */
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"

/* The corners of one instance between which none restarts. */
struct run {
  const struct primitive_order *order;
  const uint32_t *v;
  uint64_t count;
  primitives_take *take;
  void *user;
};

static bool take(const struct run *r, const uint32_t *corners, unsigned count, uint32_t first, uint32_t last) {
  return r->take(r->user, corners, count, r->order->last_provokes ? last : first);
}

/* Every `step` corners from the first one on begin a primitive of `size` corners. */
static bool take_each(const struct run *r, unsigned size, unsigned step) {
  for (uint64_t i = 0; i + size <= r->count; i += step)
    if (!take(r, r->v + i, size, r->v[i + (size == 4)], r->v[i + (size == 4 ? 2 : size == 6 ? 4 : size - 1)]))
      return false;
  return true;
}

/* Every second triangle of a strip is turned. A geometry shader has the corner for flat values where it would be in a
 * list: first or last. */
static bool take_strip(const struct run *r) {
  const uint32_t *v = r->v;
  for (uint64_t i = 0; i + 2 < r->count; i++) {
    const uint32_t turned[3] = {v[i], v[i + 2], v[i + 1]}, turned_last[3] = {v[i + 1], v[i], v[i + 2]};
    const bool keeps_last = r->order->for_shader && r->order->last_provokes;
    if (!take(r, i % 2 == 0 ? v + i : keeps_last ? turned_last : turned, 3, v[i], v[i + 2]))
      return false;
  }
  return true;
}

static bool take_fan(const struct run *r) {
  const uint32_t *v = r->v;
  for (uint64_t i = 0; i + 2 < r->count; i++) {
    const uint32_t corners[3] = {v[i + 1], v[i + 2], v[0]}, from_middle[3] = {v[0], v[i + 1], v[i + 2]};
    const bool keeps_last = r->order->for_shader && r->order->last_provokes;
    if (!take(r, keeps_last ? from_middle : corners, 3, v[i + 1], v[i + 2]))
      return false;
  }
  return true;
}

/* A strip in which a vertex beside each edge stands between two corners. */
static bool take_strip_with_neighbours(const struct run *r) {
  const uint32_t *v = r->v;
  for (uint64_t i = 0; i + 5 < r->count; i += 2) {
    const uint32_t a = v[i], b = v[i + 2], c = v[i + 4], beside_ab = i == 0 ? v[1] : v[i - 2];
    const uint32_t beside_bc = i + 7 < r->count ? v[i + 6] : v[i + 5], beside_ca = v[i + 3];
    const uint32_t even[6] = {a, beside_ab, b, beside_bc, c, beside_ca};
    const uint32_t turned[6] = {a, beside_ca, c, beside_bc, b, beside_ab};
    const uint32_t turned_last[6] = {b, beside_ab, a, beside_ca, c, beside_bc};
    if (!take(r, i % 4 == 0 ? even : r->order->last_provokes ? turned_last : turned, 6, a, c))
      return false;
  }
  return true;
}

static bool take_run(const struct run *r) {
  switch (r->order->topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    return take_each(r, 1, 1);
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    return take_each(r, 2, 2);
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return take_each(r, 2, 1);
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    return take_each(r, 3, 3);
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    return take_strip(r);
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    return take_fan(r);
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    return take_each(r, 4, 4);
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    return take_each(r, 4, 1);
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    return take_each(r, 6, 6);
  case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
    return take_each(r, r->order->patch_vertices, r->order->patch_vertices);
  default:
    return take_strip_with_neighbours(r);
  }
}

static bool walk_instance(struct run *r, const uint32_t *v, uint64_t count) {
  for (uint64_t begin = 0, end; begin < count; begin = end + 1) {
    for (end = begin; end < count && v[end] != UINT32_MAX; end++)
      continue;
    r->v = v + begin;
    r->count = end - begin;
    if (!take_run(r))
      return false;
  }
  return true;
}

bool primitives_walk(const struct primitive_order *order, const struct draw_vertices *vertices, uint64_t corners,
                     primitives_take *take_one, void *user) {
  struct run r = {.order = order, .take = take_one, .user = user};
  for (uint64_t begin = 0; begin < vertices->corner_count; begin += corners)
    if (!walk_instance(&r, vertices->corners + begin, corners))
      return false;
  return true;
}
