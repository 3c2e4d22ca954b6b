/* Copies, blits and fills, between the storages of buffers and images. Parts outside of the storages are ignored. */
#include <math.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/pixel/color.h"

static bool is_inside(const struct storage_image *image, const struct frame_part *p, int64_t x, int64_t y, int64_t z) {
  return x >= 0 && y >= 0 && z >= 0 && x < frame_level_side(image->info->width, p->level) &&
         y < frame_level_side(image->info->height, p->level) && z < frame_level_side(image->info->depth, p->level);
}

static uint8_t *texel_at(const struct storage_image *image, const struct frame_part *p, uint32_t aspect, uint32_t layer,
                         int64_t x, int64_t y, int64_t z) {
  if (!image || !is_inside(image, p, x, y, z) || p->first_layer + layer >= image->info->layers)
    return NULL;
  return storage_texel(image, storage_plane_of(aspect), p->level, p->first_layer + layer, (uint32_t)x, (uint32_t)y,
                       (uint32_t)z);
}

static void copy_buffer(struct execution *e, const struct frame_copy_buffer *c) {
  uint64_t bytes;
  const uint8_t *source = storage_buffer(&e->storage, c->source, &bytes);
  uint8_t *target = storage_buffer(&e->storage, c->target, &bytes);
  if (source && target)
    memmove(target + c->target_offset, source + c->source_offset, c->bytes);
}

static void fill_buffer(struct execution *e, const struct frame_fill_buffer *f) {
  uint64_t bytes;
  uint8_t *buffer = storage_buffer(&e->storage, f->buffer, &bytes);
  const uint64_t length = f->bytes == UINT64_MAX ? (bytes - f->offset) & ~UINT64_C(3) : f->bytes;
  if (buffer && f->has_data)
    memcpy(buffer + f->offset, f + 1, length);
  else
    for (uint64_t at = 0; buffer && at + 4 <= length; at += 4)
      memcpy(buffer + f->offset + at, &f->value, 4);
}

/* Calls `visit` for each texel of a part, layer by layer. */
struct texel_visit {
  uint32_t layer;
  int64_t x, y, z; /* from the part's beginning */
};
typedef void visit_texel(struct execution *e, const void *command, const struct texel_visit *at);

/* Returns the number of texels of an axis, from the part's beginning on, that lie in the image. */
static int64_t length_of(const struct frame_part *p, unsigned axis, uint32_t side) {
  const int64_t end = p->end[axis] < (int64_t)side ? p->end[axis] : (int64_t)side;
  return p->offset[axis] < 0 ? 0 : end - p->offset[axis];
}

static void visit_part(struct execution *e, const struct frame_part *p, const void *command, visit_texel *visit) {
  const struct storage_image *image = storage_image(&e->storage, p->image);
  const struct frame_image *i = image ? image->info : NULL;
  struct texel_visit at;
  if (!i)
    return;
  const int64_t width = length_of(p, 0, frame_level_side(i->width, p->level));
  const int64_t height = length_of(p, 1, frame_level_side(i->height, p->level));
  const int64_t depth = length_of(p, 2, frame_level_side(i->depth, p->level));
  for (at.layer = 0; at.layer < p->layers; at.layer++)
    for (at.z = 0; at.z < depth; at.z++)
      for (at.y = 0; at.y < height; at.y++)
        for (at.x = 0; at.x < width; at.x++)
          visit(e, command, &at);
}

static void copy_image_texel(struct execution *e, const void *command, const struct texel_visit *at) {
  const struct frame_copy_image *c = command;
  const struct frame_part *s = &c->source, *t = &c->target;
  const struct storage_image *from = storage_image(&e->storage, s->image), *to = storage_image(&e->storage, t->image);
  for (unsigned bit = 0; bit < 3; bit++) {
    const uint32_t aspect = s->aspect & 1u << bit;
    if (!aspect)
      continue;
    const uint8_t *source =
        texel_at(from, s, aspect, at->layer, s->offset[0] + at->x, s->offset[1] + at->y, s->offset[2] + at->z);
    uint8_t *target =
        texel_at(to, t, aspect, at->layer, t->offset[0] + at->x, t->offset[1] + at->y, t->offset[2] + at->z);
    const enum storage_plane plane = storage_plane_of(aspect);
    if (!source || !target || storage_texel_bytes(from, plane) != storage_texel_bytes(to, plane))
      continue;
    if (c->resolves && to->info->samples == 1)
      execution_resolve_texel(from, plane, source, target);
    else if (from->info->samples == to->info->samples)
      memcpy(target, source, (size_t)from->info->samples * storage_texel_bytes(to, plane));
  }
}

static void copy_buffer_texel(struct execution *e, const void *command, const struct texel_visit *at) {
  const struct frame_copy_texels *c = command;
  const struct frame_part *p = &c->part;
  const struct storage_image *image = storage_image(&e->storage, p->image);
  const uint64_t row = c->row_texels ? c->row_texels : (uint64_t)(p->end[0] - p->offset[0]);
  const uint64_t rows = c->rows ? c->rows : (uint64_t)(p->end[1] - p->offset[1]);
  const uint64_t depth = (uint64_t)(p->end[2] - p->offset[2]);
  uint8_t *texel =
      texel_at(image, p, p->aspect, at->layer, p->offset[0] + at->x, p->offset[1] + at->y, p->offset[2] + at->z);
  const uint32_t size = image ? storage_texel_bytes(image, storage_plane_of(p->aspect)) : 0;
  const uint64_t place =
      c->offset +
      (((at->layer * depth + (uint64_t)at->z) * rows + (uint64_t)at->y) * row + (uint64_t)at->x) * (uint64_t)size;
  uint64_t bytes;
  uint8_t *buffer = storage_buffer(&e->storage, c->buffer, &bytes);
  if (!texel || !buffer || place > bytes || size > bytes - place) /* no texel: also where the format is not known */
    return;
  if (texel_format_find(image->info->format)->block_bytes)
    return; /* the buffer has blocks; the capture has the decoded texels behind the copy */
  memcpy(c->to_buffer ? buffer + place : texel, c->to_buffer ? texel : buffer + place, size);
}

/* Returns the place in the source, in texels, of a texel of the target. */
static double source_place(const struct frame_part *s, const struct frame_part *t, unsigned axis, int64_t at) {
  const double share = ((double)at + 0.5) / ((double)t->end[axis] - t->offset[axis]);
  return s->offset[axis] + share * ((double)s->end[axis] - s->offset[axis]);
}

static union color read_clamped(const struct storage_image *image, const struct frame_part *s, uint32_t layer, double x,
                                double y, double z) {
  const double most_x = frame_level_side(image->info->width, s->level) - 1.0;
  const double most_y = frame_level_side(image->info->height, s->level) - 1.0;
  const uint8_t *texel = texel_at(image, s, VK_IMAGE_ASPECT_COLOR_BIT, layer, (int64_t)fmin(fmax(floor(x), 0), most_x),
                                  (int64_t)fmin(fmax(floor(y), 0), most_y), (int64_t)fmax(floor(z), 0));
  const union color black = {.f = {0, 0, 0, 1}};
  return texel ? color_load(texel_format_find(image->info->format), texel) : black;
}

static union color mix(const union color *a, const union color *b, float share) {
  union color c;
  for (int i = 0; i < 4; i++)
    c.f[i] = a->f[i] + share * (b->f[i] - a->f[i]);
  return c;
}

/* In floats, along x first: averages of two bytes lie halfway between two others, and the roundings decide. */
static union color read_linear(const struct storage_image *image, const struct frame_part *s, uint32_t layer, double x,
                               double y, double z) {
  const float fx = (float)(x - 0.5 - floor(x - 0.5)), fy = (float)(y - 0.5 - floor(y - 0.5));
  union color t[4];
  for (int k = 0; k < 4; k++)
    t[k] = read_clamped(image, s, layer, x - 0.5 + (k & 1), y - 0.5 + (k >> 1), z);
  const union color upper = mix(&t[0], &t[1], fx), lower = mix(&t[2], &t[3], fx);
  return mix(&upper, &lower, fy);
}

static void blit_texel(struct execution *e, const void *command, const struct texel_visit *at) {
  const struct frame_blit_image *b = command;
  const struct frame_part *s = &b->source, *t = &b->target;
  const struct storage_image *from = storage_image(&e->storage, s->image), *to = storage_image(&e->storage, t->image);
  uint8_t *target = texel_at(to, t, VK_IMAGE_ASPECT_COLOR_BIT, at->layer, t->offset[0] + at->x, t->offset[1] + at->y,
                             t->offset[2] + at->z);
  if (!target || !from || !from->levels[PLANE_COLOR][s->level])
    return;
  const double x = source_place(s, t, 0, at->x), y = source_place(s, t, 1, at->y), z = source_place(s, t, 2, at->z);
  const bool linear = b->filter == VK_FILTER_LINEAR && !color_is_integer(texel_format_find(from->info->format));
  const union color c = linear ? read_linear(from, s, at->layer, x, y, z) : read_clamped(from, s, at->layer, x, y, z);
  color_store(texel_format_find(to->info->format), &c, target);
}

/* The target's corners in ascending order; the source's change places with them. */
static struct frame_blit_image upright(const struct frame_blit_image *b) {
  struct frame_blit_image u = *b;
  for (unsigned axis = 0; axis < 3; axis++)
    if (u.target.offset[axis] > u.target.end[axis]) {
      u.target.offset[axis] = b->target.end[axis];
      u.target.end[axis] = b->target.offset[axis];
      u.source.offset[axis] = b->source.end[axis];
      u.source.end[axis] = b->source.offset[axis];
    }
  return u;
}

bool execution_transfer(struct execution *e, const struct frame_entry *r) {
  switch (r->kind) {
  case FRAME_COPY_BUFFER:
    copy_buffer(e, r->payload);
    return true;
  case FRAME_FILL_BUFFER:
    fill_buffer(e, r->payload);
    return true;
  case FRAME_COPY_IMAGE:
    visit_part(e, &((const struct frame_copy_image *)r->payload)->source, r->payload, copy_image_texel);
    return true;
  case FRAME_COPY_TEXELS:
    visit_part(e, &((const struct frame_copy_texels *)r->payload)->part, r->payload, copy_buffer_texel);
    return true;
  case FRAME_BLIT_IMAGE: {
    const struct frame_blit_image b = upright(r->payload);
    visit_part(e, &b.target, &b, blit_texel);
    return true;
  }
  default:
    return false;
  }
}
