/* Commands that bind objects and set state. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"

const struct frame_descriptor *execution_descriptor(const struct execution *e, uint32_t set, uint32_t binding,
                                                    uint32_t element) {
  const struct frame_set *s = set < FRAME_MAX_SETS ? e->bound->sets[set] : NULL;
  const struct frame_descriptor *d = s ? (const struct frame_descriptor *)(s + 1) : NULL;
  for (uint32_t i = 0; s && i < s->count; i++)
    if (d[i].binding == binding && d[i].element == element)
      return &d[i];
  return NULL;
}

static bool is_dynamic(uint32_t type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* Offsets stand in order of binding and element. */
uint32_t execution_dynamic_offset(const struct execution *e, uint32_t set, const struct frame_descriptor *descriptor) {
  const struct frame_set *s = e->bound->sets[set];
  const struct frame_descriptor *d = (const struct frame_descriptor *)(s + 1);
  uint32_t before = 0;
  if (!is_dynamic(descriptor->type))
    return 0;
  for (uint32_t i = 0; i < s->count; i++)
    before += is_dynamic(d[i].type) && (d[i].binding < descriptor->binding ||
                                        (d[i].binding == descriptor->binding && d[i].element < descriptor->element));
  return before < 16 ? e->bound->dynamic_offsets[set][before] : 0;
}

static uint32_t count_dynamic(const struct frame_set *s) {
  const struct frame_descriptor *d = (const struct frame_descriptor *)(s + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++)
    count += is_dynamic(d[i].type);
  return count;
}

static void bind_sets(struct execution *e, const struct frame_bind_sets *b) {
  const uint32_t *offsets = (const uint32_t *)(b + 1);
  uint32_t used = 0;
  if (b->point > VK_PIPELINE_BIND_POINT_COMPUTE)
    return;
  struct execution_point *point = &e->points[b->point];
  for (uint32_t i = 0; i < b->count; i++) {
    const struct frame_set *s = b->sets[i] ? e->set_records[b->sets[i]] : NULL;
    const uint32_t count = s ? count_dynamic(s) : 0;
    point->sets[b->first + i] = s;
    for (uint32_t k = 0; k < count && k < 16 && used < b->offset_count; k++)
      point->dynamic_offsets[b->first + i][k] = offsets[used++];
  }
}

static void bind_vertices(struct execution *e, const struct frame_bind_vertices *b) {
  for (uint32_t i = 0; i < b->count; i++) {
    e->vertex_buffers[b->first + i] = b->buffers[i];
    e->vertex_offsets[b->first + i] = b->offsets[i];
  }
}

static void bind_pipeline(struct execution *e, const struct frame_bind_pipeline *b) {
  const struct frame_pipeline *p = frame_object(e->capture, FRAME_PIPELINE, b->pipeline);
  if (b->point > VK_PIPELINE_BIND_POINT_COMPUTE)
    return;
  e->points[b->point].pipeline = p;
  if (!p || b->point == VK_PIPELINE_BIND_POINT_COMPUTE)
    return;
  if (!(p->dynamic & FRAME_DYNAMIC_VIEWPORT))
    e->viewport = p->viewport;
  if (!(p->dynamic & FRAME_DYNAMIC_SCISSOR))
    e->scissor = p->scissor;
  if (!(p->dynamic & FRAME_DYNAMIC_BLEND))
    memcpy(e->blend_constants, p->blend_constants, sizeof e->blend_constants);
  if (!(p->dynamic & FRAME_DYNAMIC_LINE_WIDTH))
    e->line_width = p->line_width;
  if (!(p->dynamic & FRAME_DYNAMIC_DEPTH_BIAS))
    memcpy(e->depth_bias, (const float[]){p->bias_constant, p->bias_clamp, p->bias_slope}, sizeof e->depth_bias);
}

static void set_stencil(struct execution *e, const struct frame_set_state *s) {
  for (unsigned face = 0; face < 2; face++) {
    if (!(s->faces & 1u << face))
      continue;
    if (s->state == FRAME_DYNAMIC_STENCIL_READ)
      e->stencil[face].read_mask = s->value.u[0];
    else if (s->state == FRAME_DYNAMIC_STENCIL_WRITE)
      e->stencil[face].write_mask = s->value.u[0];
    else if (s->state == FRAME_DYNAMIC_STENCIL_REFERENCE)
      e->stencil[face].reference = s->value.u[0];
  }
}

static void set_state(struct execution *e, const struct frame_set_state *s) {
  if (s->state == FRAME_DYNAMIC_BLEND)
    memcpy(e->blend_constants, s->value.f, sizeof e->blend_constants);
  else if (s->state == FRAME_DYNAMIC_DEPTH_BIAS)
    memcpy(e->depth_bias, s->value.f, sizeof e->depth_bias);
  else if (s->state == FRAME_DYNAMIC_LINE_WIDTH)
    e->line_width = s->value.f[0];
  else
    set_stencil(e, s);
}

static void push(struct execution *e, const struct frame_push *p) {
  memcpy(e->push + p->offset, p->data, p->bytes);
}

bool execution_bind(struct execution *e, const struct frame_entry *r) {
  switch (r->kind) {
  case FRAME_BIND_PIPELINE:
    bind_pipeline(e, r->payload);
    return true;
  case FRAME_BIND_SETS:
    bind_sets(e, r->payload);
    return true;
  case FRAME_BIND_VERTICES:
    bind_vertices(e, r->payload);
    return true;
  case FRAME_BIND_INDICES: {
    const struct frame_bind_indices *b = r->payload;
    e->index_buffer = b->buffer;
    e->index_type = b->type;
    e->index_offset = b->offset;
    return true;
  }
  case FRAME_PUSH:
    push(e, r->payload);
    return true;
  case FRAME_SET_VIEWPORT:
    e->viewport = *(const struct frame_viewport *)r->payload;
    return true;
  case FRAME_SET_SCISSOR:
    e->scissor = *(const struct frame_scissor *)r->payload;
    return true;
  case FRAME_SET_STATE:
    set_state(e, r->payload);
    return true;
  default:
    return false;
  }
}
