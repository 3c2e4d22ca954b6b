/* Textures as the images that kernels read: RGBA, in bytes where that loses nothing, else in floats. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/frame/frame_memory.h"
#include "graphics/pixel/color.h"
#include "graphics/pixel/depth.h"

#define MOST_TEXELS (UINT64_C(1) << 26)

/* The numbers of a view's format: it may be read in another format of the same size than the image was made with. */
static const struct texel_format *format_of(const struct frame_view *view) {
  return texel_format_find(view->format);
}

bool texture_is_bytes(const struct execution *e, const struct frame_view *view) {
  const struct texel_format *f = format_of(view);
  (void)e;
  return f && f->numbers == TEXEL_UNORM && f->bits[0] == 8 && !f->depth_bytes;
}

/* Returns the word of a channel. */
static uint32_t swizzled(const union color *c, uint32_t swizzle, bool is_integer) {
  const union color one = {.f = {1}};
  switch (swizzle) {
  case VK_COMPONENT_SWIZZLE_ZERO:
    return 0;
  case VK_COMPONENT_SWIZZLE_ONE:
    return is_integer ? 1 : one.u[0];
  default:
    return c->u[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
  }
}

static union color read_texel(const struct texel_format *f, const struct storage_image *image, enum storage_plane plane,
                              const uint8_t *texel) {
  if (plane == PLANE_STENCIL)
    return (union color){.u = {*texel, 0, 0, 1}};
  if (plane == PLANE_DEPTH)
    return (union color){.f = {depth_load(image->info->format, texel), 0, 0, 1}};
  return color_load(f, texel);
}

static void write_texel(const struct frame_view *view, const union color *c, bool is_integer, bool bytes, void *to) {
  union color rgba;
  for (int k = 0; k < 4; k++) {
    rgba.u[k] = swizzled(c, view->swizzle[k], is_integer);
    if (bytes)
      ((uint8_t *)to)[k] = (uint8_t)(rgba.f[k] * 255 + 0.5f);
  }
  if (!bytes)
    memcpy(to, &rgba, sizeof rgba);
}

static int check_view(const struct execution *e, const struct frame_view *view, struct error *error) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  const enum storage_plane plane = storage_plane_of(view->aspect);
  const struct texel_format *f = format_of(view);
  if (!image || !f || view->first_layer >= image->info->layers ||
      (plane == PLANE_COLOR && f->bytes != storage_texel_bytes(image, plane)))
    return error_set(error, ERROR_INPUT, "a texture has a format or a shape that is not supported (format %u, view %u)",
                     view->format, view->type);
  for (uint32_t level = 0; level < view->levels; level++)
    if (!image->levels[plane][view->first_level + level])
      return error_set(error, ERROR_INPUT, "a texture has no texels of its aspect");
  return 0;
}

/* The samples of a layer are stacked as layers of their own. */
static bool is_stacked(const struct execution *e, const struct frame_view *view) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  return (view->type != VK_IMAGE_VIEW_TYPE_2D && view->type != VK_IMAGE_VIEW_TYPE_1D) || image->info->samples > 1;
}

bool texture_describe(const struct execution *e, const struct frame_view *view, struct shader_texture *out) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  if (!image)
    return false;
  out->format = view->format;
  out->levels = view->levels;
  out->width = frame_level_side(image->info->width, view->first_level);
  out->height = frame_level_side(image->info->height, view->first_level);
  out->depth = frame_level_side(image->info->depth, view->first_level);
  out->samples = image->info->samples;
  out->layers = (image->info->depth > 1 ? 1 : view->layers) * out->samples;
  out->stacked = is_stacked(e, view);
  return true;
}

static bool find_texel_buffer(const struct execution *e, uint32_t id, struct shader_texture *out, uint8_t **texels,
                              uint64_t *bytes) {
  const struct frame_texel_buffer *b = frame_object(e->capture, FRAME_TEXEL_BUFFER, id);
  const struct texel_format *f = b ? texel_format_find(b->format) : NULL;
  uint64_t all = 0;
  uint8_t *contents = b ? storage_buffer(&e->storage, b->buffer, &all) : NULL;
  if (!contents || !f || b->offset > all)
    return false;
  *bytes = b->bytes < all - b->offset ? b->bytes : all - b->offset;
  *texels = contents + b->offset;
  *out = (struct shader_texture){.format = b->format,
                                 .levels = 1,
                                 .width = (uint32_t)(*bytes / f->bytes),
                                 .height = 1,
                                 .depth = 1,
                                 .layers = 1,
                                 .samples = 1};
  return *bytes > 0;
}

bool texels_find(const struct execution *e, const struct frame_descriptor *d, struct shader_texture *out,
                 uint8_t **texels, uint64_t *bytes) {
  const struct frame_view *v = frame_object(e->capture, FRAME_VIEW, d->object);
  const struct storage_image *image = v ? storage_image(&e->storage, v->image) : NULL;
  const struct texel_format *f = v ? format_of(v) : NULL;
  if (!v)
    return find_texel_buffer(e, d->object, out, texels, bytes);
  if (!image || !f || image->info->samples > 1 || f->bytes != storage_texel_bytes(image, PLANE_COLOR) ||
      !image->levels[PLANE_COLOR][v->first_level] || !texture_describe(e, v, out))
    return false;
  const uint64_t layer = frame_level_bytes(image->info, VK_IMAGE_ASPECT_COLOR_BIT, v->first_level, 1);
  *texels = image->levels[PLANE_COLOR][v->first_level] + (image->info->depth > 1 ? 0 : v->first_layer) * layer;
  *bytes = layer * out->layers;
  return true;
}

/* The byte of a texel of four UNORM bytes that each byte of RGBA is taken from; -1 and -2: it is 0, or 255. */
static void find_bytes(const struct texel_format *f, const struct frame_view *view, int from[4]) {
  int of_channel[4] = {-1, -1, -1, -2};
  for (int i = 0; i < f->channels; i++)
    of_channel[f->place[i]] = i;
  for (int k = 0; k < 4; k++)
    from[k] = view->swizzle[k] == VK_COMPONENT_SWIZZLE_ZERO ? -1
              : view->swizzle[k] == VK_COMPONENT_SWIZZLE_ONE
                  ? -2
                  : of_channel[(view->swizzle[k] - VK_COMPONENT_SWIZZLE_R) & 3];
}

/* Writes a row of texels with one byte a channel, with the result of color_load and write_texel. */
static void write_bytes(const int from[4], const uint8_t *texels, size_t texel_bytes, uint32_t count, uint8_t *to) {
  const bool same = texel_bytes == 4 && from[0] == 0 && from[1] == 1 && from[2] == 2 && from[3] == 3;
  if (same) {
    memcpy(to, texels, (size_t)count * 4);
    return;
  }
  for (uint32_t x = 0; x < count; x++, texels += texel_bytes, to += 4)
    for (int k = 0; k < 4; k++)
      to[k] = from[k] >= 0 ? texels[from[k]] : from[k] == -1 ? 0 : 255;
}

/* Writes a row of depths as floats: what depth_load and write_texel would make of them. */
static void write_depths(const struct frame_view *view, uint32_t format, const uint8_t *texels, size_t texel_bytes,
                         uint32_t count, float *to) {
  enum { PART = 256 };
  const union color other = {.f = {0, 0, 0, 1}};
  union color texel = other;
  float depths[PART];
  bool is_depth[4];
  for (int k = 0; k < 4; k++) {
    texel.u[k] = swizzled(&other, view->swizzle[k], false);
    is_depth[k] = view->swizzle[k] != VK_COMPONENT_SWIZZLE_ZERO && view->swizzle[k] != VK_COMPONENT_SWIZZLE_ONE &&
                  ((view->swizzle[k] - VK_COMPONENT_SWIZZLE_R) & 3) == 0;
  }
  for (uint32_t x = 0; x < count; x++, to += 4) {
    if (x % PART == 0)
      depth_load_row(format, texels + x * texel_bytes, texel_bytes, count - x < PART ? count - x : PART, depths);
    for (int k = 0; k < 4; k++)
      to[k] = is_depth[k] ? depths[x % PART] : texel.f[k];
  }
}

/* Writes a layer, or slice, or a sample of a layer, of a level into rows of `pitch` texels. */
static void write_layer(const struct execution *e, const struct frame_view *view, uint32_t level, uint32_t layer,
                        uint32_t slice, char *to, size_t pitch) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  const enum storage_plane plane = storage_plane_of(view->aspect);
  const struct texel_format *f = format_of(view);
  const bool bytes = texture_is_bytes(e, view);
  const size_t size = bytes ? 4 : 16;
  const uint32_t samples = image->info->samples;
  const uint32_t width = frame_level_side(image->info->width, level),
                 height = frame_level_side(image->info->height, level);
  const size_t sample_bytes = storage_texel_bytes(image, plane);
  const bool is_integer = view->aspect == VK_IMAGE_ASPECT_STENCIL_BIT || color_is_integer(f);
  const bool is_plain = bytes && plane == PLANE_COLOR && f->bytes == f->channels;
  const bool is_depth = plane == PLANE_DEPTH && !is_integer;
  int from[4];
  if (is_plain)
    find_bytes(f, view, from);
  for (uint32_t y = 0; y < height; y++) {
    const uint8_t *texel =
        storage_texel(image, plane, level, layer / samples, 0, y, slice) + layer % samples * sample_bytes;
    char *row = to + y * pitch * size;
    if (is_plain) {
      write_bytes(from, texel, sample_bytes * samples, width, (uint8_t *)row);
      continue;
    }
    if (is_depth && !bytes) {
      write_depths(view, image->info->format, texel, sample_bytes * samples, width, (float *)(void *)row);
      continue;
    }
    for (uint32_t x = 0; x < width; x++, texel += sample_bytes * samples) {
      const union color c = read_texel(f, image, plane, texel);
      write_texel(view, &c, is_integer, bytes, row + x * size);
    }
  }
}

/* Makes room for texels; they are 0. */
static int make_room(const struct execution *e, const struct frame_view *view, uint32_t width, uint64_t rows,
                     void **out, struct error *error) {
  if (rows * width > MOST_TEXELS)
    return error_set(error, ERROR_INPUT, "a texture has more than 2^26 texels");
  const size_t size = texture_is_bytes(e, view) ? 4 : 16;
  *out = frame_memory_take((size_t)rows * width * size);
  return *out ? 0 : error_no_memory(error);
}

/* All levels with all their layers and slices, one below the other. */
static int read_stacked(const struct execution *e, const struct frame_view *view, void **out, uint32_t *width,
                        uint32_t *height, struct error *error) {
  struct shader_texture t;
  uint64_t rows = 0;
  texture_describe(e, view, &t);
  for (uint32_t level = 0; level < t.levels; level++)
    rows += shader_texture_rows(&t, level);
  if (make_room(e, view, t.width, rows, out, error))
    return -1;
  char *to = *out;
  for (uint32_t level = 0; level < t.levels; level++) {
    const uint32_t at = view->first_level + level;
    const uint32_t depth = t.depth >> level > 0 ? t.depth >> level : 1;
    const size_t bytes =
        (size_t)shader_texture_rows(&t, level) / (t.layers * depth) * t.width * (texture_is_bytes(e, view) ? 4 : 16);
    for (uint32_t layer = 0; layer < t.layers; layer++)
      for (uint32_t slice = 0; slice < depth; slice++, to += bytes)
        write_layer(e, view, at, view->first_layer * t.samples + layer, slice, to, t.width);
  }
  *width = t.width;
  *height = (uint32_t)rows;
  return 0;
}

int texture_read(const struct execution *e, const struct frame_view *view, uint32_t level, void **out, uint32_t *width,
                 uint32_t *height, struct error *error) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  const uint32_t at = view->first_level + level;
  if (check_view(e, view, error))
    return -1;
  if (is_stacked(e, view))
    return read_stacked(e, view, out, width, height, error);
  *width = frame_level_side(image->info->width, at);
  *height = frame_level_side(image->info->height, at);
  if (make_room(e, view, *width, *height, out, error))
    return -1;
  write_layer(e, view, at, view->first_layer, 0, *out, *width);
  return 0;
}
