#include "graphics/execute/summary/uncaptured.h"

#include <stdlib.h>
#include <vulkan/vulkan_core.h>

bool uncaptured_begin(struct uncaptured *u, const struct frame_capture *capture) {
  *u = (struct uncaptured){.objects = calloc((size_t)capture->object_count + 1, sizeof *u->objects)};
  return u->objects != NULL;
}

void uncaptured_clear(struct uncaptured *u) {
  free(u->objects);
  *u = (struct uncaptured){0};
}

static void take_command(struct uncaptured *u, const struct frame_entry *r) {
  const char *name = ((const struct frame_unsupported *)r->payload)->name;
  const struct frame_lack lack = frame_lack_of(r);
  switch (lack.reach) {
  case FRAME_REACH_REST:
    u->rest = u->rest ? u->rest : name;
    return;
  case FRAME_REACH_PASS:
    u->pass = name;
    return;
  case FRAME_REACH_OBJECT:
    u->objects[lack.object] = name;
    return;
  case FRAME_REACH_BEGIN:
    u->open = name;
    return;
  case FRAME_REACH_END:
    u->open = NULL;
    return;
  default:
    return;
  }
}

/* A part of the target becomes that of the source: both parts lack what either lacked. */
static void copy(struct uncaptured *u, uint32_t source, uint32_t target) {
  if (u->objects[source])
    u->objects[target] = u->objects[source];
}

/* Buffers have their contents before each submit. */
static void make_buffers_whole(struct uncaptured *u, const struct frame_capture *c) {
  for (uint32_t id = 0; id < c->object_count; id++)
    if (frame_object(c, FRAME_BUFFER, id))
      u->objects[id] = NULL;
}

void uncaptured_take(struct uncaptured *u, const struct execution *e, const struct frame_entry *r) {
  switch (r->kind) {
  case FRAME_UNSUPPORTED:
    take_command(u, r);
    return;
  case FRAME_END_PASS:
    u->pass = NULL;
    return;
  case FRAME_SUBMIT:
    make_buffers_whole(u, e->capture);
    return;
  case FRAME_COPY_BUFFER: {
    const struct frame_copy_buffer *c = r->payload;
    copy(u, c->source, c->target);
    return;
  }
  case FRAME_COPY_IMAGE: {
    const struct frame_copy_image *c = r->payload;
    copy(u, c->source.image, c->target.image);
    return;
  }
  case FRAME_COPY_TEXELS: {
    const struct frame_copy_texels *c = r->payload;
    copy(u, c->to_buffer ? c->part.image : c->buffer, c->to_buffer ? c->buffer : c->part.image);
    return;
  }
  case FRAME_BLIT_IMAGE: {
    const struct frame_blit_image *c = r->payload;
    copy(u, c->source.image, c->target.image);
    return;
  }
  default:
    return;
  }
}

/* Returns the number of the image or buffer that a descriptor shows; 0: none. */
static uint32_t object_of(const struct execution *e, const struct frame_descriptor *d) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, d->object);
  const struct frame_texel_buffer *t = frame_object(e->capture, FRAME_TEXEL_BUFFER, d->object);
  return v ? v->image : t ? t->buffer : frame_object(e->capture, FRAME_BUFFER, d->object) ? d->object : 0;
}

static bool is_stored(uint32_t type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static const char *lack_of_sets(const struct uncaptured *u, const struct execution *e) {
  for (uint32_t set = 0; set < FRAME_MAX_SETS; set++) {
    uint32_t count;
    const struct frame_descriptor *d = execution_descriptors(e, set, &count);
    for (uint32_t i = 0; i < count; i++)
      if (u->objects[object_of(e, &d[i])])
        return u->objects[object_of(e, &d[i])];
  }
  return NULL;
}

static const char *lack_of_vertices(const struct uncaptured *u, const struct execution *e) {
  const struct frame_pipeline *p = e->bound->pipeline;
  for (uint32_t i = 0; p && i < p->binding_count; i++) {
    const uint32_t binding = frame_bindings(p)[i].binding;
    const uint32_t buffer = binding < FRAME_MAX_VERTEX ? e->vertex_buffers[binding] : 0;
    if (u->objects[buffer])
      return u->objects[buffer];
  }
  return NULL;
}

static void spread_to(struct uncaptured *u, uint32_t object, const char *name) {
  if (object > 0)
    u->objects[object] = name;
}

static void spread_to_view(struct uncaptured *u, const struct execution *e, uint32_t view, const char *name) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, view);
  spread_to(u, v ? v->image : 0, name);
}

/* Everything that the draw or dispatch writes lacks the same. */
static void spread(struct uncaptured *u, const struct execution *e, const char *name) {
  for (uint32_t set = 0; set < FRAME_MAX_SETS; set++) {
    uint32_t count;
    const struct frame_descriptor *d = execution_descriptors(e, set, &count);
    for (uint32_t i = 0; i < count; i++)
      if (is_stored(d[i].type))
        spread_to(u, object_of(e, &d[i]), name);
  }
  const bool draws = e->pass && e->bound == &e->points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  for (uint32_t i = 0; draws && i < e->pass->color_count; i++) {
    spread_to_view(u, e, e->pass->colors[i].view, name);
    spread_to_view(u, e, e->pass->colors[i].resolve, name);
  }
  if (draws) {
    spread_to_view(u, e, e->pass->depth.view, name);
    spread_to_view(u, e, e->pass->stencil.view, name);
  }
}

const char *uncaptured_by(struct uncaptured *u, const struct execution *e, uint32_t indirect, bool indexed) {
  const bool draws = e->bound == &e->points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  const char *lacks = u->rest ? u->rest : u->open;
  if (!lacks && draws)
    lacks = u->pass;
  if (!lacks)
    lacks = u->objects[indirect];
  if (!lacks && indexed)
    lacks = u->objects[e->index_buffer];
  if (!lacks && draws)
    lacks = lack_of_vertices(u, e);
  if (!lacks)
    lacks = lack_of_sets(u, e);
  if (lacks)
    spread(u, e, lacks);
  return lacks;
}
