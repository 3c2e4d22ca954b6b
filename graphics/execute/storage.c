#include "graphics/execute/storage.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/frame/frame_memory.h"
#include "graphics/frame/texel_format.h"

static const uint32_t aspects[PLANE_COUNT] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT,
                                              VK_IMAGE_ASPECT_STENCIL_BIT};

bool storage_create(struct storage *s, const struct frame_capture *capture) {
  *s = (struct storage){.capture = capture};
  s->buffers = calloc((size_t)capture->object_count + 1, sizeof *s->buffers);
  s->images = calloc((size_t)capture->object_count + 1, sizeof *s->images);
  return s->buffers && s->images;
}

static void destroy_image(struct storage_image *image) {
  for (unsigned p = 0; image && p < PLANE_COUNT; p++)
    for (unsigned level = 0; level < FRAME_MAX_LEVELS; level++) {
      frame_memory_give(image->levels[p][level]);
      free(image->vulkan[p][level]);
    }
  free(image);
}

void storage_clear(struct storage *s) {
  for (uint32_t i = 0; s->capture && i < s->capture->object_count; i++) {
    if (s->buffers)
      frame_memory_give(s->buffers[i]);
    if (s->images)
      destroy_image(s->images[i]);
  }
  free(s->buffers);
  free(s->images);
  *s = (struct storage){0};
}

static bool make_image(struct storage *s, const struct frame_image *info) {
  struct storage_image *image = calloc(1, sizeof *image);
  if (!image)
    return false;
  s->images[info->id] = image;
  image->info = info;
  for (unsigned p = 0; p < PLANE_COUNT; p++) {
    image->sample_bytes[p] = texel_format_bytes(info->format, aspects[p]);
    for (uint32_t level = 0; level < info->levels; level++) {
      const uint64_t bytes = frame_level_bytes(info, aspects[p], level, info->layers);
      image->levels[p][level] = bytes ? frame_memory_take(bytes) : NULL;
      if (bytes && !image->levels[p][level])
        return false;
    }
  }
  return true;
}

static bool make_buffer(struct storage *s, const struct frame_buffer *b) {
  s->buffers[b->id] = frame_memory_take(b->bytes + 16);
  return s->buffers[b->id] != NULL;
}

static void take_texels(const struct storage *s, const struct frame_image_texels *t) {
  const struct storage_image *image = s->images[t->image];
  uint8_t *level = image->levels[storage_plane_of(t->aspect)][t->level];
  const uint64_t first = frame_level_bytes(image->info, t->aspect, t->level, t->first_layer);
  if (level)
    memcpy(level + first, t + 1, t->bytes);
}

bool storage_take(struct storage *s, const struct frame_entry *r) {
  switch (r->kind) {
  case FRAME_BUFFER:
    return make_buffer(s, r->payload);
  case FRAME_IMAGE:
    return make_image(s, r->payload);
  case FRAME_BUFFER_BYTES: {
    const struct frame_buffer_bytes *b = r->payload;
    memcpy(s->buffers[b->buffer] + b->offset, b + 1, b->bytes);
    return true;
  }
  case FRAME_IMAGE_TEXELS:
    take_texels(s, r->payload);
    return true;
  default:
    return true;
  }
}

uint8_t *storage_buffer(const struct storage *s, uint32_t id, uint64_t *bytes) {
  const struct frame_buffer *b = frame_object(s->capture, FRAME_BUFFER, id);
  *bytes = b ? b->bytes : 0;
  return b ? s->buffers[id] : NULL;
}

struct storage_image *storage_image(const struct storage *s, uint32_t id) {
  return id < s->capture->object_count ? s->images[id] : NULL;
}

enum storage_plane storage_plane_of(uint32_t aspect) {
  return aspect == VK_IMAGE_ASPECT_DEPTH_BIT     ? PLANE_DEPTH
         : aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? PLANE_STENCIL
                                                 : PLANE_COLOR;
}

uint8_t *storage_texel(const struct storage_image *image, enum storage_plane plane, uint32_t level, uint32_t layer,
                       uint32_t x, uint32_t y, uint32_t z) {
  const struct frame_image *i = image->info;
  const uint64_t width = frame_level_side(i->width, level), height = frame_level_side(i->height, level),
                 depth = frame_level_side(i->depth, level);
  uint8_t *texels = image->levels[plane][level];
  return texels ? texels +
                      (((layer * depth + z) * height + y) * width + x) * i->samples * storage_texel_bytes(image, plane)
                : NULL;
}
