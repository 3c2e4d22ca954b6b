#include "graphics/pixel/depth.h"

#include <math.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

/* Returns the largest number of a format that keeps fractions; 0: it keeps floats. */
static double largest(uint32_t format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM:
    return 65535;
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D24_UNORM_S8_UINT:
    return 16777215;
  default:
    return 0;
  }
}

float depth_load(uint32_t format, const void *texel) {
  const double most = largest(format);
  uint32_t word = 0;
  float depth;
  memcpy(&word, texel, format == VK_FORMAT_D16_UNORM ? 2 : 4);
  memcpy(&depth, &word, sizeof depth);
  return most > 0 ? (float)((word & (uint32_t)most) / most) : depth;
}

void depth_load_row(uint32_t format, const void *texels, size_t stride, size_t count, float *out) {
  const double most = largest(format);
  const uint32_t mask = most > 0 ? (uint32_t)most : UINT32_MAX;
  const char *from = texels;
  for (size_t i = 0; i < count; i++, from += stride) {
    uint32_t word = 0;
    if (format == VK_FORMAT_D16_UNORM)
      memcpy(&word, from, 2);
    else
      memcpy(&word, from, 4);
    if (most > 0)
      out[i] = (float)((word & mask) / most);
    else
      memcpy(&out[i], &word, sizeof word);
  }
}

void depth_store(uint32_t format, float depth, void *texel) {
  const double most = largest(format);
  uint32_t word;
  memcpy(&word, &depth, sizeof word);
  if (most > 0) /* in floats, as llvmpipe does it */
    word = (uint32_t)lrintf((depth > 0 ? depth < 1 ? depth : 1 : 0) * (float)most);
  memcpy(texel, &word, format == VK_FORMAT_D16_UNORM ? 2 : 4);
}

/* Fractions are compared as the whole numbers that the format keeps: each is another float, in the same order. */
bool depth_test(uint32_t format, uint32_t operation, float depth, void *texel, bool writes) {
  const uint32_t most = (uint32_t)largest(format);
  const bool is_short = format == VK_FORMAT_D16_UNORM;
  uint32_t word = 0, before = 0;
  float old;
  depth_store(format, depth, &word);
  if (is_short)
    memcpy(&before, texel, 2);
  else
    memcpy(&before, texel, 4);
  memcpy(&old, &before, sizeof old);
  const double a = most ? word & most : (double)depth, b = most ? before & most : (double)old;
  if (!depth_compare(operation, a, b))
    return false;
  if (writes && is_short)
    memcpy(texel, &word, 2);
  else if (writes)
    memcpy(texel, &word, 4);
  return true;
}

float depth_unit(uint32_t format) {
  const double most = largest(format);
  return most > 0 ? (float)(1 / most) : 0x1p-23f;
}

bool depth_compare(uint32_t operation, double a, double b) {
  switch (operation) {
  case VK_COMPARE_OP_NEVER:
    return false;
  case VK_COMPARE_OP_LESS:
    return a < b;
  case VK_COMPARE_OP_EQUAL:
    return a == b;
  case VK_COMPARE_OP_LESS_OR_EQUAL:
    return a <= b;
  case VK_COMPARE_OP_GREATER:
    return a > b;
  case VK_COMPARE_OP_NOT_EQUAL:
    return a != b;
  case VK_COMPARE_OP_GREATER_OR_EQUAL:
    return a >= b;
  default:
    return true;
  }
}

uint8_t stencil_apply(uint32_t operation, uint8_t value, uint8_t reference) {
  switch (operation) {
  case VK_STENCIL_OP_ZERO:
    return 0;
  case VK_STENCIL_OP_REPLACE:
    return reference;
  case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
    return value == 255 ? 255 : (uint8_t)(value + 1);
  case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
    return value == 0 ? 0 : (uint8_t)(value - 1);
  case VK_STENCIL_OP_INVERT:
    return (uint8_t)~value;
  case VK_STENCIL_OP_INCREMENT_AND_WRAP:
    return (uint8_t)(value + 1);
  case VK_STENCIL_OP_DECREMENT_AND_WRAP:
    return (uint8_t)(value - 1);
  default:
    return value;
  }
}
