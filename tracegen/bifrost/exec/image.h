/* Images as a job's tables describe them: textures that are sampled, and images that are stored to. Private to exec/.
 *
 * Shapes:  texels lie in rows, or in tiles of 16 x 16 texels within which the bits of x and y alternate.
 * Errors:  functions that read tables return false where a table lies outside of memory or holds something else than
 *          an image of one level and a supported format.
 * Threads: none is shared. Source: Mesa 25.0, src/panfrost/lib/genxml/v6.xml and v7.xml ("Texture", "Sampler",
 * "Attribute"),
 *          docs/drivers/panfrost.rst (tiles). */
#ifndef TRACEGEN_BIFROST_IMAGE_H
#define TRACEGEN_BIFROST_IMAGE_H

#include "tracegen/bifrost/bifrost_dispatch.h"
#include "tracegen/bifrost/exec/texel.h"

struct image {
  uint64_t address;
  uint32_t size[3];                /* texels; the third is layers or depth */
  uint32_t row_bytes, slice_bytes; /* of a row of tiles where there are tiles */
  uint32_t format, swizzle;
  uint8_t dimensions; /* 1 to 3 */
  uint8_t texel_bytes;
  bool is_tiled;
};

/* The rule that brings coordinates outside of an image into it. */
enum image_wrap {
  WRAP_REPEAT = 8,
  WRAP_EDGE = 9,
  WRAP_BORDER = 11,
  WRAP_MIRRORED_REPEAT = 12,
  WRAP_MIRRORED_EDGE = 13,
  WRAP_MIRRORED_BORDER = 15,
};

struct image_sampler {
  uint8_t wrap[3]; /* enum image_wrap, of x, y, z */
  bool is_normalised, is_nearest;
  struct texel border;
};

bool image_of_texture(const struct bifrost_dispatch *dispatch, uint32_t index, struct image *out);
bool image_of_attribute(const struct bifrost_dispatch *dispatch, uint32_t index, struct image *out);
bool image_sampler_read(const struct bifrost_dispatch *dispatch, uint32_t index, struct image_sampler *out);
/* Returns the GPU address of a texel inside of the image. */
uint64_t image_texel_address(const struct image *image, const int32_t at[3]);
bool image_contains(const struct image *image, const int32_t at[3]);

#endif
