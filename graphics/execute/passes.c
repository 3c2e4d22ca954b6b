/* Passes and clears. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/pixel/color.h"
#include "graphics/pixel/depth.h"

struct storage_image *execution_target(const struct execution *e, uint32_t view, uint32_t *level, uint32_t *layer) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, view);
  *level = v ? v->first_level : 0;
  *layer = v ? v->first_layer : 0;
  struct storage_image *image = v ? storage_image(&e->storage, v->image) : NULL;
  return image && *layer < image->info->layers ? image : NULL; /* slices of 3D images are not supported */
}

/* A clear value as a texel of a plane. Clear values of colors have the numbers of the format. */
static void make_texel(uint32_t format, enum storage_plane plane, const uint32_t value[4], unsigned char texel[16]) {
  const struct texel_format *f = texel_format_find(format);
  union color c;
  float depth;
  memset(texel, 0, 16);
  if (plane == PLANE_COLOR && f) {
    memcpy(c.u, value, sizeof c.u);
    color_store(f, &c, texel);
  } else if (plane == PLANE_DEPTH) {
    memcpy(&depth, &value[0], sizeof depth);
    depth_store(format, depth, texel);
  } else
    texel[0] = (unsigned char)value[1];
}

/* Writes `count` copies of a texel of `size` bytes. */
static void fill_row(uint8_t *row, const unsigned char *texel, size_t size, size_t count) {
  size_t done = 1;
  memcpy(row, texel, size);
  for (; done < count; done *= 2)
    memcpy(row + done * size, row, (done < count - done ? done : count - done) * size);
}

static void fill(struct storage_image *image, enum storage_plane plane, uint32_t level, uint32_t layer,
                 const struct frame_scissor *area, uint32_t format, const uint32_t value[4]) {
  const int64_t width = frame_level_side(image->info->width, level),
                height = frame_level_side(image->info->height, level);
  const int64_t left = area->x < 0 ? 0 : area->x, top = area->y < 0 ? 0 : area->y;
  const int64_t right = area->x + (int64_t)area->width < width ? area->x + (int64_t)area->width : width;
  const int64_t bottom = area->y + (int64_t)area->height < height ? area->y + (int64_t)area->height : height;
  unsigned char texel[16];
  if (!image->levels[plane][level])
    return;
  if (left >= right)
    return;
  make_texel(format, plane, value, texel);
  const size_t size = storage_texel_bytes(image, plane), count = (size_t)(right - left) * image->info->samples;
  for (int64_t y = top; y < bottom; y++)
    fill_row(storage_texel(image, plane, level, layer, (uint32_t)left, (uint32_t)y, 0), texel, size, count);
}

static void clear_target(const struct execution *e, uint32_t view, enum storage_plane plane,
                         const struct frame_scissor *area, const uint32_t value[4]) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, view);
  uint32_t level, layer;
  struct storage_image *image = execution_target(e, view, &level, &layer);
  for (uint32_t k = 0; image && k < v->layers && image->info->depth == 1; k++)
    fill(image, plane, level, layer + k, area, plane == PLANE_COLOR ? v->format : image->info->format, value);
}

void execution_begin_pass(struct execution *e, const struct frame_begin_pass *p) {
  e->pass = p;
  e->pass_count++;
  for (uint32_t i = 0; i < p->color_count; i++)
    if (p->colors[i].load == VK_ATTACHMENT_LOAD_OP_CLEAR)
      clear_target(e, p->colors[i].view, PLANE_COLOR, &p->area, p->colors[i].clear);
  if (p->depth.load == VK_ATTACHMENT_LOAD_OP_CLEAR)
    clear_target(e, p->depth.view, PLANE_DEPTH, &p->area, p->depth.clear);
  if (p->stencil.load == VK_ATTACHMENT_LOAD_OP_CLEAR)
    clear_target(e, p->stencil.view, PLANE_STENCIL, &p->area, p->stencil.clear);
}

/* The mean of a texel's samples; of integers and of depths the first one (Vulkan 1.3, section 8.3.1). */
void execution_resolve_texel(const struct storage_image *from, enum storage_plane plane, const uint8_t *samples,
                             uint8_t *to) {
  const struct texel_format *f = texel_format_find(from->info->format);
  const uint32_t size = storage_texel_bytes(from, plane);
  union color sum = {.f = {0, 0, 0, 0}};
  memcpy(to, samples, size);
  if (plane != PLANE_COLOR || color_is_integer(f))
    return;
  for (uint32_t s = 0; s < from->info->samples; s++) {
    const union color c = color_load(f, samples + s * size);
    for (int k = 0; k < 4; k++)
      sum.f[k] += c.f[k];
  }
  for (int k = 0; k < 4; k++)
    sum.f[k] /= (float)from->info->samples;
  color_store(f, &sum, to);
}

static void resolve_target(const struct execution *e, const struct frame_target *t, const struct frame_scissor *area) {
  uint32_t level, layer, to_level, to_layer;
  const struct storage_image *from = execution_target(e, t->view, &level, &layer);
  const struct storage_image *to = execution_target(e, t->resolve, &to_level, &to_layer);
  if (!from || !to || from->info->format != to->info->format || !from->levels[PLANE_COLOR][level] ||
      to->info->samples != 1)
    return;
  for (uint32_t y = 0; y < frame_level_side(from->info->height, level); y++)
    for (uint32_t x = 0; x < frame_level_side(from->info->width, level); x++)
      if ((int64_t)x >= area->x && (int64_t)x < area->x + (int64_t)area->width && (int64_t)y >= area->y &&
          (int64_t)y < area->y + (int64_t)area->height && x < frame_level_side(to->info->width, to_level) &&
          y < frame_level_side(to->info->height, to_level))
        execution_resolve_texel(from, PLANE_COLOR, storage_texel(from, PLANE_COLOR, level, layer, x, y, 0),
                                storage_texel(to, PLANE_COLOR, to_level, to_layer, x, y, 0));
}

void execution_end_pass(struct execution *e) {
  const struct frame_begin_pass *p = e->pass;
  for (uint32_t i = 0; p && i < p->color_count; i++)
    if (p->colors[i].resolve)
      resolve_target(e, &p->colors[i], &p->area);
  e->pass = NULL;
}

void execution_clear_targets(struct execution *e, const struct frame_clear_targets *c) {
  const struct frame_begin_pass *p = e->pass;
  if (!p)
    return;
  if ((c->aspect & VK_IMAGE_ASPECT_COLOR_BIT) && c->color < p->color_count)
    clear_target(e, p->colors[c->color].view, PLANE_COLOR, &c->area, c->value);
  if (c->aspect & VK_IMAGE_ASPECT_DEPTH_BIT)
    clear_target(e, p->depth.view, PLANE_DEPTH, &c->area, c->value);
  if (c->aspect & VK_IMAGE_ASPECT_STENCIL_BIT)
    clear_target(e, p->stencil.view, PLANE_STENCIL, &c->area, c->value);
}

void execution_clear_image(struct execution *e, const struct frame_clear_image *c) {
  const struct frame_scissor all = {0, 0, FRAME_MAX_SIDE, FRAME_MAX_SIDE};
  struct storage_image *image = storage_image(&e->storage, c->image);
  for (uint32_t level = c->first_level; image && level < c->first_level + c->levels; level++)
    for (uint32_t layer = c->first_layer; layer < c->first_layer + c->layers; layer++)
      for (unsigned bit = 0; bit < 3; bit++)
        if (c->aspect & 1u << bit)
          fill(image, storage_plane_of(1u << bit), level, layer, &all, image->info->format, c->value);
}
