/* Textures as the images that kernels read: RGBA, in bytes where that loses nothing, else in floats. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/pixel/color.h"
#include "graphics/pixel/depth.h"

/* The numbers of a view's format: it may be read in another format of the same size than the image was made with. */
static const struct texel_format *format_of(const struct frame_view *view) {
  return texel_format_find(view->format);
}

bool texture_is_bytes(const struct execution *e, const struct frame_view *view) {
  const struct texel_format *f = format_of(view);
  (void)e;
  return f && f->numbers == TEXEL_UNORM && f->bits[0] == 8 && !f->depth_bytes;
}

static float swizzled(const union color *c, uint32_t swizzle) {
  switch (swizzle) {
  case VK_COMPONENT_SWIZZLE_ZERO:
    return 0;
  case VK_COMPONENT_SWIZZLE_ONE:
    return 1;
  default:
    return c->f[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
  }
}

static union color read_texel(const struct texel_format *f, const struct storage_image *image, enum storage_plane plane,
                              const uint8_t *texel) {
  if (plane == PLANE_DEPTH)
    return (union color){.f = {depth_load(image->info->format, texel), 0, 0, 1}};
  return color_load(f, texel);
}

static void write_texel(const struct frame_view *view, const union color *c, bool bytes, void *to) {
  float rgba[4];
  for (int k = 0; k < 4; k++) {
    rgba[k] = swizzled(c, view->swizzle[k]);
    if (bytes)
      ((uint8_t *)to)[k] = (uint8_t)(rgba[k] * 255 + 0.5f);
  }
  if (!bytes)
    memcpy(to, rgba, sizeof rgba);
}

int texture_read(const struct execution *e, const struct frame_view *view, uint32_t level, void **out, uint32_t *width,
                 uint32_t *height, struct error *error) {
  const struct storage_image *image = storage_image(&e->storage, view->image);
  const enum storage_plane plane = storage_plane_of(view->aspect);
  const struct texel_format *f = format_of(view);
  const bool bytes = texture_is_bytes(e, view);
  const uint32_t at = view->first_level + level;
  if (!image || !f || !image->levels[plane][at] || view->first_layer >= image->info->layers ||
      view->type != VK_IMAGE_VIEW_TYPE_2D || color_is_integer(f) || image->info->samples > 1 ||
      (plane == PLANE_COLOR && f->bytes != storage_texel_bytes(image, plane)))
    return error_set(error, ERROR_WORK, "a texture has a format or a shape that is not supported (format %u, view %u)",
                     view->format, view->type);
  *width = frame_level_side(image->info->width, at);
  *height = frame_level_side(image->info->height, at);
  const size_t size = bytes ? 4 : 16;
  *out = malloc((size_t)*width * *height * size);
  if (!*out)
    return error_set(error, ERROR_WORK, "out of memory");
  for (uint32_t y = 0; y < *height; y++)
    for (uint32_t x = 0; x < *width; x++) {
      const union color c = read_texel(f, image, plane, storage_texel(image, plane, at, view->first_layer, x, y, 0));
      write_texel(view, &c, bytes, (char *)*out + ((size_t)y * *width + x) * size);
    }
  return 0;
}
