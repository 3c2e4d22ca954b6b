/* Vertices of a draw: indices to distinct vertices, and their attributes to words. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/pixel/color.h"

#define MOST_CORNERS           (UINT64_C(1) << 26)
#define BUILTIN_VERTEX_INDEX   42 /* SpvBuiltIn */
#define BUILTIN_INSTANCE_INDEX 43
#define BUILTIN_BASE_VERTEX    4424
#define BUILTIN_BASE_INSTANCE  4425
#define BUILTIN_DRAW_INDEX     4426
#define RESTART                UINT32_MAX

uint32_t execution_index_bytes(uint32_t type) {
  return type == VK_INDEX_TYPE_UINT16 ? 2 : type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT8_EXT ? 1 : 0;
}

/* Reads index `k`; outside of the buffer it is 0. */
static uint32_t read_index(const uint8_t *bytes, uint64_t length, uint64_t at, uint32_t size) {
  uint32_t index = 0;
  if (bytes && at <= length && size <= length - at)
    memcpy(&index, bytes + at, size);
  return index;
}

/* Writes the vertex numbers of one instance, or RESTART. */
static int read_indices(const struct execution *e, const struct frame_draw *d, uint32_t *out, struct error *error) {
  const uint32_t size = execution_index_bytes(e->index_type);
  uint64_t length;
  const uint8_t *bytes = storage_buffer(&e->storage, e->index_buffer, &length);
  if (size == 0 || !bytes)
    return error_set(error, ERROR_INPUT, "no index buffer of a known type is bound");
  const uint32_t restart = (uint32_t)((UINT64_C(1) << 8 * size) - 1);
  for (uint32_t k = 0; k < d->count; k++) {
    const uint32_t index = read_index(bytes, length, e->index_offset + ((uint64_t)d->first + k) * size, size);
    out[k] = e->bound->pipeline->restarts && index == restart ? RESTART : index + (uint32_t)d->vertex_offset;
  }
  return 0;
}

/* Numbers the distinct vertices in order of first use: corners become these numbers, *numbers their vertices. */
static int number_distinct(uint32_t *corners, uint32_t count, uint32_t **numbers, uint32_t *distinct,
                           struct error *error) {
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t k = 0; k < count; k++)
    if (corners[k] != RESTART) {
      least = corners[k] < least ? corners[k] : least;
      most = corners[k] > most ? corners[k] : most;
    }
  if (most >= least && most - least >= MOST_CORNERS)
    return error_set(error, ERROR_INPUT, "the indices of the draw lie too far apart");
  const size_t span = most >= least ? (size_t)(most - least) + 1 : 1;
  uint32_t *seen = malloc(span * sizeof *seen);
  *numbers = malloc(((size_t)count + 1) * sizeof **numbers);
  if (!seen || !*numbers) {
    free(seen);
    return error_no_memory(error);
  }
  memset(seen, 0xff, span * sizeof *seen);
  *distinct = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (corners[k] == RESTART)
      continue;
    uint32_t *number = &seen[corners[k] - least];
    if (*number == UINT32_MAX) {
      (*numbers)[*distinct] = corners[k];
      *number = (*distinct)++;
    }
    corners[k] = *number;
  }
  free(seen);
  return 0;
}

static const struct frame_attribute *find_attribute(const struct frame_pipeline *p, uint32_t location) {
  for (uint32_t i = 0; i < p->attribute_count; i++)
    if (frame_attributes(p)[i].location == location)
      return &frame_attributes(p)[i];
  return NULL;
}

static const struct frame_binding *find_binding(const struct frame_pipeline *p, uint32_t binding) {
  for (uint32_t i = 0; i < p->binding_count; i++)
    if (frame_bindings(p)[i].binding == binding)
      return &frame_bindings(p)[i];
  return NULL;
}

/* Reads an attribute; outside of its buffer it is (0, 0, 0, 1). */
static union color read_attribute(const struct execution *e, const struct frame_attribute *a, uint32_t vertex,
                                  uint32_t first_instance, uint32_t instance) {
  const struct frame_binding *b = a ? find_binding(e->bound->pipeline, a->binding) : NULL;
  const struct texel_format *f = a ? texel_format_find(a->format) : NULL;
  union color c = {.f = {0, 0, 0, 1}};
  uint64_t length;
  if (!b || !f || a->binding >= FRAME_MAX_VERTEX)
    return c;
  const uint8_t *bytes = storage_buffer(&e->storage, e->vertex_buffers[a->binding], &length);
  const uint64_t step = b->per_instance ? first_instance + (b->divisor ? instance / b->divisor : 0) : vertex;
  const uint64_t at = e->vertex_offsets[a->binding] + step * b->stride + a->offset;
  return bytes && at <= length && f->bytes <= length - at ? color_load(f, bytes + at) : c;
}

/* Returns the value of a built-in input for the vertex with this number. */
static uint32_t built_in(const struct execution *e, uint32_t builtin, const struct frame_draw *d, uint32_t vertex,
                         uint32_t instance) {
  switch (builtin) {
  case BUILTIN_VERTEX_INDEX:
    return vertex;
  case BUILTIN_INSTANCE_INDEX:
    return d->first_instance + instance;
  case BUILTIN_BASE_VERTEX:
    return d->indexed ? (uint32_t)d->vertex_offset : d->first;
  case BUILTIN_BASE_INSTANCE:
    return d->first_instance;
  case SHADER_ACTIVE:
    return 1;
  case BUILTIN_DRAW_INDEX:
    return e->draw_index;
  default:
    return 0;
  }
}

static void fill_slot(const struct execution *e, const struct shader_slot *s, const uint32_t *numbers,
                      uint32_t distinct, const struct frame_draw *d, uint32_t instance, uint32_t *words,
                      uint32_t stride) {
  const struct frame_attribute *a = s->location == SPIRV_NONE ? NULL : find_attribute(e->bound->pipeline, s->location);
  for (uint32_t v = 0; v < distinct; v++)
    words[(size_t)v * stride] = s->location == SPIRV_NONE
                                    ? built_in(e, s->builtin, d, numbers[v], instance)
                                    : read_attribute(e, a, numbers[v], d->first_instance, instance).u[s->component & 3];
}

static int check_attributes(const struct execution *e, struct error *error) {
  for (uint32_t i = 0; i < e->bound->pipeline->attribute_count; i++)
    if (!texel_format_find(frame_attributes(e->bound->pipeline)[i].format))
      return error_set(error, ERROR_INPUT, "vertex attributes of format %u are not supported",
                       frame_attributes(e->bound->pipeline)[i].format);
  return 0;
}

static int fill_inputs(struct execution *e, const struct frame_draw *d, const struct stage *stage,
                       const uint32_t *numbers, uint32_t distinct, struct draw_vertices *out, struct error *error) {
  const struct shader_source *s = &stage->source;
  if (check_attributes(e, error) ||
      stage_words_create(&out->inputs, stage_round(stage, (uint64_t)distinct * d->instances), s->input_count, error))
    return -1;
  for (uint32_t slot = 0; slot < s->input_count; slot++)
    for (uint32_t instance = 0; instance < d->instances; instance++)
      fill_slot(e, &s->inputs[slot], numbers, distinct, d, instance,
                stage_word(&out->inputs, (size_t)instance * distinct, slot), s->input_count);
  return 0;
}

/* Each instance has its own vertices: the corners of the first are repeated. */
static void repeat_corners(struct draw_vertices *v, const struct frame_draw *d, uint32_t distinct) {
  for (uint32_t instance = 1; instance < d->instances; instance++)
    for (uint32_t k = 0; k < d->count; k++) {
      const uint32_t corner = v->corners[k];
      v->corners[(uint64_t)instance * d->count + k] = corner == RESTART ? RESTART : corner + instance * distinct;
    }
}

int vertices_fetch(struct execution *e, const struct frame_draw *d, const struct stage *stage, struct draw_vertices *v,
                   struct error *error) {
  uint32_t *numbers = NULL, distinct = 0;
  *v = (struct draw_vertices){.corner_count = (uint64_t)d->count * d->instances};
  if (v->corner_count > MOST_CORNERS)
    return error_set(error, ERROR_INPUT, "the draw has more than 2^26 vertices");
  if (v->corner_count == 0) /* no vertices, or none for want of instances */
    return 0;
  v->corners = malloc(v->corner_count * sizeof *v->corners);
  if (!v->corners)
    return error_no_memory(error);
  for (uint32_t k = 0; k < d->count && !d->indexed; k++)
    v->corners[k] = d->first + k;
  if ((d->indexed && read_indices(e, d, v->corners, error)) ||
      number_distinct(v->corners, d->count, &numbers, &distinct, error)) {
    free(numbers);
    return -1;
  }
  v->distinct = distinct * d->instances;
  repeat_corners(v, d, distinct);
  const int status = fill_inputs(e, d, stage, numbers, distinct, v, error);
  free(numbers);
  return status;
}

void vertices_clear(struct draw_vertices *v) {
  free(v->corners);
  free(v->inputs.words);
  *v = (struct draw_vertices){0};
}
