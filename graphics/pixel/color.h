/* Texels of any supported format as four numbers, and back.
 *
 * Units: fractions for UNORM and SNORM, linear light for sRGB. Channels that a format lacks are 0, alpha 1. Errors:
 * none; the format is one that texel_format_find knows. Threads: pure functions. Source: Vulkan 1.3, sections 3.10,
 * 49. */
#ifndef GRAPHICS_COLOR_H
#define GRAPHICS_COLOR_H

#include "graphics/frame/texel_format.h"

/* Numbers of colors: floats, or integers in the bits of the words. */
union color {
  float f[4];
  uint32_t u[4];
};

union color color_load(const struct texel_format *format, const void *texel);
/* Rounds to the nearest number of the format. */
void color_store(const struct texel_format *format, const union color *color, void *texel);
/* Returns whether colors of the format are integers. */
bool color_is_integer(const struct texel_format *format);
/* Returns whether all channels are fractions of a byte. */
bool color_has_bytes(const struct texel_format *format);

#endif
