/* Texels of depth and stencil planes. Source: Vulkan 1.3, sections 28.9 and 28.10. */
#ifndef GRAPHICS_DEPTH_H
#define GRAPHICS_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats (VkFormat) whose depth is a fraction round it to the nearest; the others keep the float. */
float depth_load(uint32_t format, const void *texel);
/* Loads `count` depths of texels that lie `stride` bytes apart: what depth_load returns of each. */
void depth_load_row(uint32_t format, const void *texels, size_t stride, size_t count, float *out);
void depth_store(uint32_t format, float depth, void *texel);
/* Returns the least difference of two depths that the format can tell apart, for depth biases. */
float depth_unit(uint32_t format);
/* Returns whether a compared with b passes (VkCompareOp). */
bool depth_compare(uint32_t operation, double a, double b);
/* Returns whether the depth, as the format keeps it, compared with that of the texel passes, and writes it then. */
bool depth_test(uint32_t format, uint32_t operation, float depth, void *texel, bool writes);
/* Returns what a stencil operation (VkStencilOp) makes of a value. */
uint8_t stencil_apply(uint32_t operation, uint8_t value, uint8_t reference);

#endif
