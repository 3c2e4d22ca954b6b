/* Formats of texels, as far as frames are captured and drawn: a table by Vulkan's numbers.
 *
 * Errors: a format that has no row is unsupported. Cost: a search in the table. Threads: read-only. */
#ifndef GRAPHICS_TEXEL_FORMAT_H
#define GRAPHICS_TEXEL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* The representation of a channel's numbers. */
enum texel_numbers {
  TEXEL_UNORM,
  TEXEL_SNORM,
  TEXEL_UINT,
  TEXEL_SINT,
  TEXEL_FLOAT,
  TEXEL_SRGB,
  TEXEL_SCALED,
  TEXEL_SIGNED_SCALED
};

struct texel_format {
  uint32_t format; /* VkFormat */
  const char *name;
  uint8_t bytes;                      /* of a texel */
  uint8_t channels;                   /* 1 to 4 */
  uint8_t bits[4];                    /* of each channel, from the lowest bits on */
  uint8_t place[4];                   /* the channel that the value stands for: 0 red, 1 green, 2 blue, 3 alpha */
  uint8_t numbers;                    /* enum texel_numbers */
  uint8_t depth_bytes, stencil_bytes; /* of formats for depth and stencil: of a texel in a buffer of one aspect */
  uint8_t block_bytes;                /* of a compressed format: of a block of 4x4 texels; 0: it is not compressed */
  uint32_t plain; /* of a compressed format: the one that its decoded texels have, which all other members describe */
};

/* Returns the row of a format; NULL: unsupported. */
const struct texel_format *texel_format_find(uint32_t format);
/* Returns the bytes of a texel of an aspect (VkImageAspectFlagBits) in a buffer; 0: unsupported. */
uint32_t texel_format_bytes(uint32_t format, uint32_t aspect);

#endif
