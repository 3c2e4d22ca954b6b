/* The primitives of a draw become quads. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"

enum { POSITION = 0, POINT_SIZE = 1, CLIP_DISTANCE = 3, CULL_DISTANCE = 4 }; /* SpvBuiltIn */

struct assembly {
  const struct vertex_stream *from;
  struct raster *raster;
  struct raster_state state;
  /* Slots of the vertex shader's outputs; -1: not written. */
  int position[4], size, distances[RASTER_MOST_DISTANCES], cull_distances[RASTER_MOST_DISTANCES];
};

static int find_slot(const struct assembly *a, uint32_t builtin, uint32_t component) {
  const struct shader_slot slot = {.location = SPIRV_NONE, .component = component, .builtin = builtin};
  return stage_output_slot(&a->from->stage->source, &slot);
}

static float output(const struct assembly *a, uint32_t vertex, int slot) {
  float value;
  memcpy(&value, stage_word(a->from->words, vertex, (uint32_t)slot), sizeof value);
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

/* Returns whether all vertices of a primitive lie behind a plane that the shader culls by. A distance that is no number
 * lies behind it. */
static bool is_culled(const struct assembly *a, const uint32_t *vertices, unsigned count) {
  for (unsigned k = 0; k < RASTER_MOST_DISTANCES; k++) {
    unsigned behind = 0;
    for (unsigned v = 0; v < count && a->cull_distances[k] >= 0; v++)
      behind += !(output(a, vertices[v], a->cull_distances[k]) >= 0);
    if (behind == count)
      return true;
  }
  return false;
}

/* Rasterises a primitive; vertices beside it (of topologies with adjacency) have no effect. */
static bool add(void *user, const uint32_t *corners, unsigned count, uint32_t provoking) {
  struct assembly *a = user;
  const uint32_t without[3] = {corners[0], count == 6 ? corners[2] : 0, count == 6 ? corners[4] : 0};
  const uint32_t *vertices = count == 4 ? corners + 1 : count == 6 ? without : corners;
  struct raster_vertex places[3];
  count = count == 4 ? 2 : count == 6 ? 3 : count;
  if (is_culled(a, vertices, count)) {
    a->raster->counts.primitives++;
    a->raster->counts.culled++;
    return true;
  }
  for (unsigned v = 0; v < count; v++)
    places[v] = place_of(a, vertices[v]);
  if (count == 3)
    return raster_triangle(a->raster, &a->state, vertices, provoking, places);
  if (count == 2)
    return raster_line(a->raster, &a->state, vertices, provoking, places);
  return raster_point(a->raster, &a->state, vertices[0], places, a->size < 0 ? 1 : output(a, vertices[0], a->size));
}

int assembly_run(const struct frame_pipeline *pipeline, const struct vertex_stream *from,
                 const struct raster_state *state, struct raster *raster, struct error *error) {
  struct assembly a = {.from = from, .raster = raster, .state = *state};
  for (uint32_t k = 0; k < 4; k++) {
    a.position[k] = find_slot(&a, POSITION, k);
    if (a.position[k] < 0)
      return error_set(error, ERROR_INPUT, "the shader of the vertices writes no position");
  }
  a.size = find_slot(&a, POINT_SIZE, 0);
  for (uint32_t k = 0; k < RASTER_MOST_DISTANCES; k++) {
    a.distances[k] = find_slot(&a, CLIP_DISTANCE, k);
    a.cull_distances[k] = find_slot(&a, CULL_DISTANCE, k);
    if (a.distances[k] >= 0 && a.state.distances == k)
      a.state.distances++;
  }
  const struct primitive_order order = {from->topology, pipeline->last_provokes, false, 0};
  if (!primitives_walk(&order, from->vertices, from->corners, add, &a))
    return raster->quad_count < state->most_quads ? error_no_memory(error)
                                                  : error_set(error, ERROR_INPUT, "the draw has more quads than %llu",
                                                              (unsigned long long)state->most_quads);
  return 0;
}
