/* Blits, as lavapipe does them: it draws the target's rectangle as two triangles whose corners have places in the
 * source as values. Averages of two bytes lie halfway between two others, and the last bit of a place decides which
 * of them becomes the texel: so places, weights and mixtures are computed in floats in llvmpipe's order of operations.
 * Source: Mesa, src/gallium/auxiliary/util/u_blitter.c. */
#include <math.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/transfer/transfer.h"
#include "graphics/pixel/color.h"
#include "graphics/raster/planes.h"

/* Shares of the source's sides. */
struct half_rectangle {
  struct plane u, v;
};

struct blit {
  struct frame_blit_image command;
  const struct storage_image *from, *to;
  const struct texel_format *from_format, *to_format;
  int64_t width, height;              /* of the target's rectangle */
  float from_width, from_height;      /* of the source's level */
  struct half_rectangle upper, lower; /* above and below the diagonal from the first corner on */
  bool is_linear;
};

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

/* Returns the place of a corner on the screen: behind the projection, and moved to the viewport. */
static float on_screen(int64_t at, float side) {
  return fmaf((float)at / side * 2 - 1, 0.5f * side, 0.5f * side);
}

/* corners: bit 0 of each selects the end of x, bit 1 that of y. */
static struct half_rectangle half_of(const struct blit *b, const unsigned corners[3]) {
  const struct frame_part *s = &b->command.source, *t = &b->command.target;
  const float to_width = (float)frame_level_side(b->to->info->width, t->level),
              to_height = (float)frame_level_side(b->to->info->height, t->level);
  struct raster_triangle triangle = {.inverse_w = {1, 1, 1}};
  float u[3], v[3];
  for (unsigned i = 0; i < 3; i++) {
    const bool right = corners[i] & 1, below = corners[i] & 2;
    triangle.x[i] = (double)on_screen(right ? t->end[0] : t->offset[0], to_width) - 0.5;
    triangle.y[i] = (double)on_screen(below ? t->end[1] : t->offset[1], to_height) - 0.5;
    u[i] = (float)(right ? s->end[0] : s->offset[0]) / b->from_width;
    v[i] = (float)(below ? s->end[1] : s->offset[1]) / b->from_height;
  }
  const struct plane_setup setup = plane_setup_of(&triangle, 0.5f);
  return (struct half_rectangle){plane_of(&setup, u), plane_of(&setup, v)};
}

/* Returns the slice of the source that a slice of the target is read from. */
static int64_t source_slice(const struct frame_blit_image *b, int64_t at) {
  const struct frame_part *s = &b->source, *t = &b->target;
  const double share = ((double)at + 0.5) / ((double)t->end[2] - t->offset[2]);
  return (int64_t)fmax(floor(s->offset[2] + share * ((double)s->end[2] - s->offset[2])), 0);
}

static union color read_texel(const struct blit *b, const struct transfer_place *at, int64_t x, int64_t y) {
  const uint8_t *texel = transfer_texel(b->from, &b->command.source, VK_IMAGE_ASPECT_COLOR_BIT, at->layer, x, y,
                                        source_slice(&b->command, at->z));
  return texel ? color_load(b->from_format, texel) : (union color){.f = {0, 0, 0, 1}};
}

static union color mix(const union color *a, const union color *b, float share) {
  union color c;
  for (int i = 0; i < 4; i++)
    c.f[i] = fmaf(share, b->f[i] - a->f[i], a->f[i]);
  return c;
}

/* Limits a place to [0, most]; not a number: 0. */
static float limited(float place, float most) {
  return place > 0 ? place < most ? place : most : 0;
}

static union color read_nearest(const struct blit *b, const struct transfer_place *at, float u, float v) {
  return read_texel(b, at, (int64_t)limited(u * b->from_width, b->from_width - 1),
                    (int64_t)limited(v * b->from_height, b->from_height - 1));
}

static union color read_linear(const struct blit *b, const struct transfer_place *at, float u, float v) {
  const float x = fmaxf(limited(u * b->from_width, b->from_width) - 0.5f, 0),
              y = fmaxf(limited(v * b->from_height, b->from_height) - 0.5f, 0);
  const int64_t left = (int64_t)x, top = (int64_t)y;
  const int64_t right = left + 1 < (int64_t)b->from_width ? left + 1 : left,
                bottom = top + 1 < (int64_t)b->from_height ? top + 1 : top;
  const union color t[4] = {read_texel(b, at, left, top), read_texel(b, at, right, top),
                            read_texel(b, at, left, bottom), read_texel(b, at, right, bottom)};
  const union color upper = mix(&t[0], &t[1], x - (float)left), lower = mix(&t[2], &t[3], x - (float)left);
  return mix(&upper, &lower, y - (float)top);
}

static void blit_texel(struct execution *e, const void *command, const struct transfer_place *at) {
  const struct blit *b = command;
  const struct frame_part *t = &b->command.target;
  uint8_t *target = transfer_texel(b->to, t, VK_IMAGE_ASPECT_COLOR_BIT, at->layer, t->offset[0] + at->x,
                                   t->offset[1] + at->y, t->offset[2] + at->z);
  const bool is_lower = (2 * at->y + 1) * b->width > (2 * at->x + 1) * b->height;
  const struct half_rectangle *h = is_lower ? &b->lower : &b->upper;
  const float x = (float)(t->offset[0] + at->x), y = (float)(t->offset[1] + at->y);
  const float u = plane_at(&h->u, x, y), v = plane_at(&h->v, x, y);
  (void)e;
  if (!target)
    return;
  const union color c = b->is_linear ? read_linear(b, at, u, v) : read_nearest(b, at, u, v);
  color_store(b->to_format, &c, target);
}

void transfer_blit(struct execution *e, const struct frame_blit_image *command) {
  struct blit b = {.command = upright(command)};
  const struct frame_part *s = &b.command.source, *t = &b.command.target;
  b.from = storage_image(&e->storage, s->image);
  b.to = storage_image(&e->storage, t->image);
  if (!b.from || !b.to || !b.from->levels[PLANE_COLOR][s->level])
    return;
  b.from_format = texel_format_find(b.from->info->format);
  b.to_format = texel_format_find(b.to->info->format);
  b.width = (int64_t)t->end[0] - t->offset[0];
  b.height = (int64_t)t->end[1] - t->offset[1];
  b.from_width = (float)frame_level_side(b.from->info->width, s->level);
  b.from_height = (float)frame_level_side(b.from->info->height, s->level);
  b.upper = half_of(&b, (const unsigned[]){1, 3, 0});
  b.lower = half_of(&b, (const unsigned[]){3, 2, 0});
  b.is_linear = command->filter == VK_FILTER_LINEAR && !color_is_integer(b.from_format);
  transfer_visit(e, t, &b, blit_texel);
}
