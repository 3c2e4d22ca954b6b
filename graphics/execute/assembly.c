/* Primitive assembly: the corners of a draw become points, lines and triangles. Vulkan 1.3, section 21.1. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"

enum { POSITION = 0, POINT_SIZE = 1, CLIP_DISTANCE = 3 }; /* SpvBuiltIn */

struct assembly {
  const struct assembly_request *request;
  struct raster *raster;
  struct raster_state state;
  /* Slots of the vertex shader's outputs; -1: not written. */
  int position[4], size, distances[RASTER_MOST_DISTANCES];
};

static int find_slot(const struct assembly *a, uint32_t builtin, uint32_t component) {
  const struct shader_slot slot = {.location = SPIRV_NONE, .component = component, .builtin = builtin};
  return stage_output_slot(&a->request->vertex->source, &slot);
}

static float output(const struct assembly *a, uint32_t vertex, int slot) {
  float value;
  memcpy(&value, stage_word(a->request->varyings, vertex, (uint32_t)slot), sizeof value);
  return value;
}

static struct raster_vertex place_of(const struct assembly *a, uint32_t vertex) {
  struct raster_vertex place = {.distances = {0}};
  for (unsigned k = 0; k < 4; k++)
    place.position[k] = output(a, vertex, a->position[k]);
  for (unsigned k = 0; k < a->state.distances; k++)
    place.distances[k] = output(a, vertex, a->distances[k]);
  return place;
}

static bool add(struct assembly *a, const uint32_t *vertices, unsigned count, uint32_t provoking) {
  struct raster_vertex places[3];
  for (unsigned v = 0; v < count; v++)
    places[v] = place_of(a, vertices[v]);
  if (count == 3)
    return raster_triangle(a->raster, &a->state, vertices, provoking, places);
  if (count == 2)
    return raster_line(a->raster, &a->state, vertices, provoking, places);
  return raster_point(a->raster, &a->state, vertices[0], places, a->size < 0 ? 1 : output(a, vertices[0], a->size));
}

static bool add_triangles(struct assembly *a, const uint32_t *v, uint64_t count) {
  const struct frame_pipeline *p = a->request->pipeline;
  const uint64_t step = p->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ? 3 : 1;
  for (uint64_t i = 0; i + 2 < count; i += step) {
    const bool fan = p->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    const bool turned = p->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP && i % 2 == 1;
    const uint32_t fan_corners[3] = {v[i + 1], v[i + 2], v[0]}, turned_corners[3] = {v[i], v[i + 2], v[i + 1]};
    const uint32_t *corners = fan ? fan_corners : turned ? turned_corners : v + i;
    const uint32_t last = v[i + 2], first = fan ? v[i + 1] : v[i];
    if (!add(a, corners, 3, p->last_provokes ? last : first))
      return false;
  }
  return true;
}

static bool add_lines(struct assembly *a, const uint32_t *v, uint64_t count) {
  const struct frame_pipeline *p = a->request->pipeline;
  const uint64_t step = p->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ? 2 : 1;
  for (uint64_t i = 0; i + 1 < count; i += step)
    if (!add(a, v + i, 2, p->last_provokes ? v[i + 1] : v[i]))
      return false;
  return true;
}

/* Adds the primitives of corners between which none restarts. */
static bool add_run(struct assembly *a, const uint32_t *v, uint64_t count) {
  switch (a->request->pipeline->topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    for (uint64_t i = 0; i < count; i++)
      if (!add(a, v + i, 1, v[i]))
        return false;
    return true;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return add_lines(a, v, count);
  default:
    return add_triangles(a, v, count);
  }
}

/* Adds the primitives of one instance. */
static bool add_instance(struct assembly *a, const uint32_t *v, uint64_t count) {
  for (uint64_t begin = 0, end; begin < count; begin = end + 1) {
    for (end = begin; end < count && v[end] != UINT32_MAX; end++)
      continue;
    if (!add_run(a, v + begin, end - begin))
      return false;
  }
  return true;
}

int assembly_run(const struct assembly_request *request, struct raster *raster, struct error *error) {
  struct assembly a = {.request = request, .raster = raster, .state = *request->state};
  const struct draw_vertices *v = request->vertices;
  for (uint32_t k = 0; k < 4; k++) {
    a.position[k] = find_slot(&a, POSITION, k);
    if (a.position[k] < 0)
      return error_set(error, ERROR_INPUT, "the vertex shader writes no position");
  }
  a.size = find_slot(&a, POINT_SIZE, 0);
  for (uint32_t k = 0; k < RASTER_MOST_DISTANCES; k++) {
    a.distances[k] = find_slot(&a, CLIP_DISTANCE, k);
    if (a.distances[k] >= 0 && a.state.distances == k)
      a.state.distances++;
  }
  for (uint64_t begin = 0; begin < v->corner_count; begin += request->corners)
    if (!add_instance(&a, v->corners + begin, request->corners))
      return raster->quad_count < request->state->most_quads
                 ? error_no_memory(error)
                 : error_set(error, ERROR_INPUT, "the draw has more quads than %llu",
                             (unsigned long long)request->state->most_quads);
  return 0;
}
