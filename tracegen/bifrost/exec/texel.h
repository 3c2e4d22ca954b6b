/* Texels of images in the GPU's memory: their formats, and conversion from and to registers. Private to exec/.
 *
 * A format has 22 bits: which component goes where (12), the type and size of components (8), and flags. Those are
 * supported that OpenCL's images have: one, two or four components of 8, 16 or 32 bits; integers, fractions of [0, 1]
 * and [-1, 1], and floats.
 * Threads: pure functions. Source: Mesa 25.0, src/panfrost/lib/genxml/v6.xml and v7.xml ("Format"), pan_format.c. */
#ifndef TRACEGEN_BIFROST_TEXEL_H
#define TRACEGEN_BIFROST_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

/* The form of a component in registers. */
enum texel_number { TEXEL_FLOAT, TEXEL_HALF, TEXEL_SIGNED, TEXEL_UNSIGNED };

/* Four components, red first: bits of floats, or integers. */
struct texel {
  uint32_t component[4];
  bool is_integer;
};

/* Returns the bytes of a texel, or 0: the format is not supported. */
uint8_t texel_bytes(uint32_t format, uint32_t architecture);
/* Reads a texel of a supported format. Components that it does not have are 0, 0, 0 and 1. */
struct texel texel_read(uint32_t format, uint32_t architecture, const uint8_t *from);
/* Writes a texel. Floats that do not fit are clamped. */
void texel_write(uint32_t format, uint32_t architecture, const uint32_t *component, uint8_t *to);
/* Returns the component of a texel as a register holds it. */
uint32_t texel_number(const struct texel *texel, unsigned component, enum texel_number number);
/* Exchanges components as a texture's swizzle of four times 3 bits says: 0 to 3, 4 for zero, 5 for one. */
struct texel texel_swizzle(const struct texel *texel, uint32_t swizzle);

#endif
