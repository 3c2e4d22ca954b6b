#include "graphics/execute/summary/resource_spans.h"

#include <stdlib.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"

#define ASPECT_SHIFT 48 /* spans of an image's aspects are apart */

static bool add(struct resource_spans *s, enum frame_resource resource, uint32_t object, uint64_t begin, uint64_t end,
                uint64_t *bytes) {
  if (end <= begin)
    return true;
  if (!array_room(&s->list, &s->room, s->count + 1, sizeof *s->list))
    return false;
  s->list[s->count++] = (struct resource_span){resource, object, begin, end};
  *bytes += end - begin;
  return true;
}

bool resource_add_buffer(struct resource_spans *s, const struct execution *e, enum frame_resource resource,
                         uint32_t buffer, uint64_t begin, uint64_t length, uint64_t *bytes) {
  const struct frame_buffer *b = frame_object(e->capture, FRAME_BUFFER, buffer);
  if (!b || begin >= b->bytes)
    return true;
  return add(s, resource, buffer, begin, length < b->bytes - begin ? begin + length : b->bytes, bytes);
}

/* Levels lie one behind the other, each with all of its layers. */
static bool add_aspect(struct resource_spans *s, enum frame_resource resource, const struct frame_view *v,
                       const struct frame_image *image, unsigned bit, uint64_t *bytes) {
  uint64_t at = (uint64_t)bit << ASPECT_SHIFT;
  for (uint32_t level = 0; level < v->first_level + v->levels && level < image->levels; level++) {
    const uint64_t layer = frame_level_bytes(image, 1u << bit, level, 1);
    const bool whole = image->depth > 1; /* the layers of a view are slices of the level */
    const uint64_t first = whole ? 0 : layer * v->first_layer, length = whole ? layer : layer * v->layers;
    if (level >= v->first_level && !add(s, resource, image->id, at + first, at + first + length, bytes))
      return false;
    at += layer * image->layers;
  }
  return true;
}

bool resource_add_view(struct resource_spans *s, const struct execution *e, enum frame_resource resource, uint32_t view,
                       uint64_t *bytes) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, view);
  const struct frame_image *image = v ? frame_object(e->capture, FRAME_IMAGE, v->image) : NULL;
  for (unsigned bit = 0; image && bit < 3; bit++)
    if (v->aspect & 1u << bit && !add_aspect(s, resource, v, image, bit, bytes))
      return false;
  return true;
}

static bool add_texel_buffer(struct resource_spans *s, const struct execution *e, enum frame_resource resource,
                             uint32_t object, uint64_t *bytes) {
  const struct frame_texel_buffer *t = frame_object(e->capture, FRAME_TEXEL_BUFFER, object);
  return !t || resource_add_buffer(s, e, resource, t->buffer, t->offset, t->bytes, bytes);
}

static bool add_descriptor(struct resource_spans *s, const struct execution *e, uint32_t set,
                           const struct frame_descriptor *d, uint64_t bytes[RESOURCE_COUNT], uint32_t *images) {
  switch (d->type) {
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    *images += d->object > 0;
    return resource_add_view(s, e, RESOURCE_IMAGES, d->object, &bytes[RESOURCE_IMAGES]);
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return resource_add_view(s, e, RESOURCE_STORAGE_IMAGES, d->object, &bytes[RESOURCE_STORAGE_IMAGES]);
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    *images += d->object > 0;
    return add_texel_buffer(s, e, RESOURCE_IMAGES, d->object, &bytes[RESOURCE_IMAGES]);
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return add_texel_buffer(s, e, RESOURCE_STORAGE_IMAGES, d->object, &bytes[RESOURCE_STORAGE_IMAGES]);
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    return resource_add_buffer(s, e, RESOURCE_UNIFORMS, d->object, d->offset + execution_dynamic_offset(e, set, d),
                               d->bytes, &bytes[RESOURCE_UNIFORMS]);
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    return resource_add_buffer(s, e, RESOURCE_STORAGE, d->object, d->offset + execution_dynamic_offset(e, set, d),
                               d->bytes, &bytes[RESOURCE_STORAGE]);
  default:
    return true;
  }
}

bool resource_add_sets(struct resource_spans *s, const struct execution *e, uint64_t bytes[RESOURCE_COUNT],
                       uint32_t *images) {
  for (uint32_t set = 0; set < FRAME_MAX_SETS; set++) {
    uint32_t count;
    const struct frame_descriptor *d = execution_descriptors(e, set, &count);
    for (uint32_t i = 0; i < count; i++)
      if (!add_descriptor(s, e, set, &d[i], bytes, images))
        return false;
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const struct resource_span *x = a, *y = b;
  if (x->resource != y->resource)
    return x->resource < y->resource ? -1 : 1;
  if (x->object != y->object)
    return x->object < y->object ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void resource_spans_sum(struct resource_spans *s, struct frame_resource_summary out[RESOURCE_COUNT]) {
  uint64_t end = 0;
  memset(out, 0, RESOURCE_COUNT * sizeof *out);
  if (s->count > 1)
    qsort(s->list, s->count, sizeof *s->list, compare);
  for (size_t i = 0; i < s->count; i++) {
    const struct resource_span *r = &s->list[i];
    struct frame_resource_summary *sum = &out[r->resource];
    if (i == 0 || r[-1].resource != r->resource || r[-1].object != r->object) {
      sum->objects++;
      end = 0;
    }
    const uint64_t begin = r->begin > end ? r->begin : end;
    sum->bytes += r->end > begin ? r->end - begin : 0;
    end = r->end > end ? r->end : end;
  }
}

void resource_spans_clear(struct resource_spans *s) {
  free(s->list);
  *s = (struct resource_spans){0};
}
