/* Blending of a fragment's color with that of the target. Source: Vulkan 1.3, section 29.1. */
#ifndef GRAPHICS_BLEND_H
#define GRAPHICS_BLEND_H

#include "graphics/frame/frame_record.h"
#include "graphics/pixel/color.h"

/* Returns whether a factor takes the second color of the shader. */
bool blend_takes_second(const struct frame_blend *blend);

/* Returns the color that the target gets, before its write mask. `source`: the fragment's colors; the second is read
 * where blend_takes_second. */
union color blend_colors(const struct frame_blend *blend, const float constants[4], const union color source[2],
                         const union color *target);

/* Blends into a texel with a byte a channel (color_has_bytes), by the write mask, in whole numbers as llvmpipe computes
 * it: the fragment's colors, the constants and each product are rounded to bytes, so that a channel may differ by 1/255
 * from that of blend_colors. */
void blend_bytes(const struct frame_blend *blend, const float constants[4], const union color source[2],
                 const struct texel_format *format, uint8_t *texel);

#endif
