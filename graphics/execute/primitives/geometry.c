/* The geometry shader of a draw: a work-item for each primitive and invocation. The vertices that they emit become
 * those of the draw, in order. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"
#include "graphics/execute/execution.h"

#define MOST_ITEMS    (UINT64_C(1) << 24)
#define MOST_VERTICES (UINT64_C(1) << 26)

enum { PRIMITIVE_ID = 7, INVOCATION_ID = 8 }; /* SpvBuiltIn */

struct work {
  struct geometry *g;
  const struct vertex_stream *from_stage;
  uint32_t *corners; /* of all primitives */
  size_t corner_count;
  uint64_t items;
  int from[SHADER_MAX_SLOTS]; /* by input: the slot of the vertices' outputs; -1: none */
};

/* Adds the corners of a primitive; false: memory ran out. */
static bool add(void *user, const uint32_t *corners, unsigned count, uint32_t provoking) {
  struct work *w = user;
  (void)provoking;
  if (count != w->g->stage.source.input_vertices)
    return false;
  for (unsigned k = 0; k < count; k++) {
    if (!array_room_for_one(&w->corners, w->corner_count, sizeof *w->corners))
      return false;
    w->corners[w->corner_count++] = corners[k];
  }
  return true;
}

static uint32_t input_of(const struct work *w, uint32_t slot, uint64_t item) {
  const struct shader_source *s = &w->g->stage.source;
  const uint64_t primitive = item / s->invocations;
  const struct shader_slot *in = &s->inputs[slot];
  if (in->builtin == PRIMITIVE_ID && w->from[slot] < 0)
    return (uint32_t)(primitive % w->g->primitives_of_instance);
  if (in->builtin == INVOCATION_ID)
    return (uint32_t)(item % s->invocations);
  if (in->builtin == SHADER_ACTIVE)
    return 1;
  return w->from[slot] < 0 ? 0
                           : *stage_word(w->from_stage->words, w->corners[primitive * s->input_vertices + in->vertex],
                                         (uint32_t)w->from[slot]);
}

static uint32_t fill(void *user, uint32_t first, struct stage_words *inputs) {
  const struct work *w = user;
  const uint64_t left = w->items > first ? w->items - first : 0;
  const uint32_t count = left < inputs->count ? (uint32_t)left : inputs->count;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t slot = 0; slot < inputs->slots; slot++)
      *stage_word(inputs, i, slot) = input_of(w, slot, first + (uint64_t)i);
  return count;
}

static uint32_t count_of(const struct shader_source *s, const struct stage_words *outputs, uint64_t item) {
  const uint32_t count = *stage_word(outputs, item, outputs->slots - 1);
  return count < s->most_vertices ? count : s->most_vertices;
}

static int make_room(struct geometry *g, uint64_t vertices, uint64_t strips, uint32_t slots, struct error *error) {
  if (vertices > MOST_VERTICES)
    return error_set(error, ERROR_INPUT, "the geometry shader emits more than 2^26 vertices");
  g->vertices.corners = malloc((vertices + strips + 1) * sizeof *g->vertices.corners);
  return !g->vertices.corners || stage_words_create(&g->words, (uint32_t)vertices, slots, error)
             ? error_no_memory(error)
             : 0;
}

/* Copies the vertices of a work-item; its last strip ends with it. */
static void take_item(struct geometry *g, const struct stage_words *outputs, uint64_t item, uint32_t *next) {
  const struct shader_source *s = &g->stage.source;
  const uint32_t count = count_of(s, outputs, item), stride = s->output_count + 1;
  struct draw_vertices *v = &g->vertices;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t *words = stage_word(outputs, item, k * stride);
    if (s->output_count)
      memcpy(stage_word(&g->words, *next, 0), words, s->output_count * sizeof *words);
    v->corners[v->corner_count++] = (*next)++;
    if (k + 1 == count || words[s->output_count])
      v->corners[v->corner_count++] = UINT32_MAX;
  }
}

static int take(void *user, const struct stage_words *outputs, struct error *error) {
  const struct work *w = user;
  uint64_t vertices = 0;
  uint32_t next = 0;
  for (uint64_t item = 0; item < w->items; item++)
    vertices += count_of(&w->g->stage.source, outputs, item);
  if (make_room(w->g, vertices, vertices, w->g->stage.source.output_count, error))
    return -1;
  for (uint64_t item = 0; item < w->items; item++)
    take_item(w->g, outputs, item, &next);
  return 0;
}

static void find_inputs(struct work *w) {
  const struct shader_source *s = &w->g->stage.source;
  for (uint32_t i = 0; i < s->input_count; i++)
    w->from[i] = stage_output_slot(&w->from_stage->stage->source, &s->inputs[i]);
}

static int run(struct execution *e, struct work *w, const char *name, struct error *error) {
  const struct stage_exchange exchange = {w, fill, take};
  struct geometry *g = w->g;
  g->primitives = w->corner_count / g->stage.source.input_vertices;
  g->primitives_of_instance = g->primitives / g->instances > 0 ? g->primitives / g->instances : 1;
  w->items = g->primitives * g->stage.source.invocations;
  if (w->items > MOST_ITEMS)
    return error_set(error, ERROR_INPUT, "a geometry shader with more than 2^24 work-items");
  if (w->items == 0)
    return 0;
  find_inputs(w);
  return stage_run(e, &g->stage, name, stage_round(&g->stage, w->items), &exchange, error);
}

int geometry_run(struct execution *e, const struct vertex_stream *from, const char *name, struct geometry *g,
                 struct error *error) {
  const struct frame_pipeline *p = e->bound->pipeline;
  const struct primitive_order order = {from->topology, p->last_provokes, true, 0};
  struct work w = {.g = g, .from_stage = from};
  *g = (struct geometry){.instances = from->instances};
  if (stage_translate(e, VK_SHADER_STAGE_GEOMETRY_BIT, &g->stage, error))
    return -1;
  const int status =
      primitives_walk(&order, from->vertices, from->corners, add, &w)
          ? run(e, &w, name, error)
          : error_set(error, ERROR_INPUT,
                      "a geometry shader that does not take the draw's primitives, or no memory for them");
  free(w.corners);
  return status;
}

void geometry_clear(struct geometry *g) {
  shader_source_clear(&g->stage.source);
  vertices_clear(&g->vertices);
  free(g->words.words);
  g->words.words = NULL;
}
