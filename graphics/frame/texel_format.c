#include "graphics/frame/texel_format.h"

#include <stddef.h>
#include <vulkan/vulkan_core.h>

#define RGBA                                                                                                           \
  { 0, 1, 2, 3 }
#define BGRA                                                                                                           \
  { 2, 1, 0, 3 }
#define ABGR                                                                                                           \
  { 3, 2, 1, 0 }
#define ARGB                                                                                                           \
  { 3, 0, 1, 2 }
#define COLOR(format, bytes, channels, b0, b1, b2, b3, order, numbers)                                                 \
  { VK_FORMAT_##format, #format, bytes, channels, {b0, b1, b2, b3}, order, numbers, 0, 0, 0, 0 }
#define DEPTH(format, bytes, depth_bits, numbers, depth_bytes, stencil_bytes)                                          \
  { VK_FORMAT_##format, #format, bytes, 1, {depth_bits}, RGBA, numbers, depth_bytes, stencil_bytes, 0, 0 }
#define BLOCKS(format, block_bytes, bytes, channels, b0, b1, b2, b3, numbers, plain)                                   \
  {                                                                                                                    \
    VK_FORMAT_##format, #format, bytes, channels, {b0, b1, b2, b3}, RGBA, numbers, 0, 0, block_bytes,                  \
        VK_FORMAT_##plain                                                                                              \
  }

static const struct texel_format formats[] = {
    COLOR(R8_UNORM, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_UNORM),
    COLOR(R8_SNORM, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_SNORM),
    COLOR(R8_UINT, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R8_SINT, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R8G8_UNORM, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_UNORM),
    COLOR(R8G8_SNORM, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_SNORM),
    COLOR(R8G8_UINT, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R8G8_SINT, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R8G8B8_UNORM, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_UNORM),
    COLOR(R8G8B8A8_UNORM, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_UNORM),
    COLOR(R8G8B8A8_SNORM, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SNORM),
    COLOR(R8G8B8A8_UINT, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_UINT),
    COLOR(R8G8B8A8_SINT, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SINT),
    COLOR(R8G8B8A8_SRGB, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SRGB),
    COLOR(R8G8B8A8_USCALED, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SCALED),
    COLOR(B8G8R8A8_UNORM, 4, 4, 8, 8, 8, 8, BGRA, TEXEL_UNORM),
    COLOR(B8G8R8A8_SRGB, 4, 4, 8, 8, 8, 8, BGRA, TEXEL_SRGB),
    COLOR(R5G6B5_UNORM_PACK16, 2, 3, 5, 6, 5, 0, BGRA, TEXEL_UNORM),
    COLOR(B5G6R5_UNORM_PACK16, 2, 3, 5, 6, 5, 0, RGBA, TEXEL_UNORM),
    COLOR(R4G4B4A4_UNORM_PACK16, 2, 4, 4, 4, 4, 4, ABGR, TEXEL_UNORM),
    COLOR(B4G4R4A4_UNORM_PACK16, 2, 4, 4, 4, 4, 4, ARGB, TEXEL_UNORM),
    COLOR(A4R4G4B4_UNORM_PACK16, 2, 4, 4, 4, 4, 4, BGRA, TEXEL_UNORM),
    COLOR(A4B4G4R4_UNORM_PACK16, 2, 4, 4, 4, 4, 4, RGBA, TEXEL_UNORM),
    COLOR(R5G5B5A1_UNORM_PACK16, 2, 4, 1, 5, 5, 5, ABGR, TEXEL_UNORM),
    COLOR(B5G5R5A1_UNORM_PACK16, 2, 4, 1, 5, 5, 5, ARGB, TEXEL_UNORM),
    COLOR(A1R5G5B5_UNORM_PACK16, 2, 4, 5, 5, 5, 1, BGRA, TEXEL_UNORM),
    COLOR(A8B8G8R8_UNORM_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_UNORM),
    COLOR(A8B8G8R8_SNORM_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SNORM),
    COLOR(A8B8G8R8_UINT_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_UINT),
    COLOR(A8B8G8R8_SINT_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SINT),
    COLOR(A8B8G8R8_SRGB_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SRGB),
    COLOR(A2R10G10B10_UNORM_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_UNORM),
    COLOR(B10G11R11_UFLOAT_PACK32, 4, 3, 11, 11, 10, 0, RGBA, TEXEL_FLOAT),
    COLOR(A2B10G10R10_UNORM_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_UNORM),
    COLOR(R16_UNORM, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_UNORM),
    COLOR(R16_SNORM, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_SNORM),
    COLOR(R16_SINT, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R16G16_UINT, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R16G16_SINT, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R16G16B16A16_UINT, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_UINT),
    COLOR(R16G16B16A16_SINT, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_SINT),
    COLOR(R16_SFLOAT, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_FLOAT),
    COLOR(R16_UINT, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R16G16_SFLOAT, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_FLOAT),
    COLOR(R16G16_SNORM, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_SNORM),
    COLOR(R16G16_UNORM, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_UNORM),
    COLOR(R16G16B16A16_SFLOAT, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_FLOAT),
    COLOR(R16G16B16A16_UNORM, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_UNORM),
    COLOR(R16G16B16A16_SNORM, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_SNORM),
    COLOR(R32_SFLOAT, 4, 1, 32, 0, 0, 0, RGBA, TEXEL_FLOAT),
    COLOR(R32_UINT, 4, 1, 32, 0, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R32_SINT, 4, 1, 32, 0, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R32G32_SFLOAT, 8, 2, 32, 32, 0, 0, RGBA, TEXEL_FLOAT),
    COLOR(R32G32_UINT, 8, 2, 32, 32, 0, 0, RGBA, TEXEL_UINT),
    COLOR(R32G32_SINT, 8, 2, 32, 32, 0, 0, RGBA, TEXEL_SINT),
    COLOR(R32G32B32_SFLOAT, 12, 3, 32, 32, 32, 0, RGBA, TEXEL_FLOAT),
    COLOR(R32G32B32_UINT, 12, 3, 32, 32, 32, 0, RGBA, TEXEL_UINT),
    COLOR(R32G32B32A32_SFLOAT, 16, 4, 32, 32, 32, 32, RGBA, TEXEL_FLOAT),
    COLOR(R32G32B32A32_UINT, 16, 4, 32, 32, 32, 32, RGBA, TEXEL_UINT),
    COLOR(R32G32B32A32_SINT, 16, 4, 32, 32, 32, 32, RGBA, TEXEL_SINT),
    COLOR(R8_USCALED, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_SCALED),
    COLOR(R8_SSCALED, 1, 1, 8, 0, 0, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R8G8_USCALED, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_SCALED),
    COLOR(R8G8_SSCALED, 2, 2, 8, 8, 0, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R8G8B8_SNORM, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_SNORM),
    COLOR(R8G8B8_USCALED, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_SCALED),
    COLOR(R8G8B8_SSCALED, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R8G8B8_UINT, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_UINT),
    COLOR(R8G8B8_SINT, 3, 3, 8, 8, 8, 0, RGBA, TEXEL_SINT),
    COLOR(R8G8B8A8_SSCALED, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R16_USCALED, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_SCALED),
    COLOR(R16_SSCALED, 2, 1, 16, 0, 0, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R16G16_USCALED, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_SCALED),
    COLOR(R16G16_SSCALED, 4, 2, 16, 16, 0, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R16G16B16_UNORM, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_UNORM),
    COLOR(R16G16B16_SNORM, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_SNORM),
    COLOR(R16G16B16_USCALED, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_SCALED),
    COLOR(R16G16B16_SSCALED, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R16G16B16_UINT, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_UINT),
    COLOR(R16G16B16_SINT, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_SINT),
    COLOR(R16G16B16_SFLOAT, 6, 3, 16, 16, 16, 0, RGBA, TEXEL_FLOAT),
    COLOR(R16G16B16A16_USCALED, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_SCALED),
    COLOR(R16G16B16A16_SSCALED, 8, 4, 16, 16, 16, 16, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(R32G32B32_SINT, 12, 3, 32, 32, 32, 0, RGBA, TEXEL_SINT),
    COLOR(A2B10G10R10_SNORM_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_SNORM),
    COLOR(A2B10G10R10_USCALED_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_SCALED),
    COLOR(A2B10G10R10_SSCALED_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(A2B10G10R10_UINT_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_UINT),
    COLOR(A2B10G10R10_SINT_PACK32, 4, 4, 10, 10, 10, 2, RGBA, TEXEL_SINT),
    COLOR(A2R10G10B10_SNORM_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_SNORM),
    COLOR(A2R10G10B10_USCALED_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_SCALED),
    COLOR(A2R10G10B10_SSCALED_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_SIGNED_SCALED),
    COLOR(A2R10G10B10_UINT_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_UINT),
    COLOR(A2R10G10B10_SINT_PACK32, 4, 4, 10, 10, 10, 2, BGRA, TEXEL_SINT),
    COLOR(A8B8G8R8_USCALED_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SCALED),
    COLOR(A8B8G8R8_SSCALED_PACK32, 4, 4, 8, 8, 8, 8, RGBA, TEXEL_SIGNED_SCALED),
    COLOR(B8G8R8A8_SNORM, 4, 4, 8, 8, 8, 8, BGRA, TEXEL_SNORM),
    COLOR(B8G8R8A8_UINT, 4, 4, 8, 8, 8, 8, BGRA, TEXEL_UINT),
    COLOR(B8G8R8A8_SINT, 4, 4, 8, 8, 8, 8, BGRA, TEXEL_SINT),
    DEPTH(D16_UNORM, 2, 16, TEXEL_UNORM, 2, 0),
    DEPTH(X8_D24_UNORM_PACK32, 4, 24, TEXEL_UNORM, 4, 0),
    DEPTH(D32_SFLOAT, 4, 32, TEXEL_FLOAT, 4, 0),
    DEPTH(D24_UNORM_S8_UINT, 4, 24, TEXEL_UNORM, 4, 1),
    DEPTH(D32_SFLOAT_S8_UINT, 8, 32, TEXEL_FLOAT, 4, 1),
    DEPTH(S8_UINT, 1, 0, TEXEL_UINT, 0, 1),
    BLOCKS(BC1_RGB_UNORM_BLOCK, 8, 4, 4, 8, 8, 8, 8, TEXEL_UNORM, R8G8B8A8_UNORM),
    BLOCKS(BC1_RGB_SRGB_BLOCK, 8, 4, 4, 8, 8, 8, 8, TEXEL_SRGB, R8G8B8A8_SRGB),
    BLOCKS(BC1_RGBA_UNORM_BLOCK, 8, 4, 4, 8, 8, 8, 8, TEXEL_UNORM, R8G8B8A8_UNORM),
    BLOCKS(BC1_RGBA_SRGB_BLOCK, 8, 4, 4, 8, 8, 8, 8, TEXEL_SRGB, R8G8B8A8_SRGB),
    BLOCKS(BC2_UNORM_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_UNORM, R8G8B8A8_UNORM),
    BLOCKS(BC2_SRGB_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_SRGB, R8G8B8A8_SRGB),
    BLOCKS(BC3_UNORM_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_UNORM, R8G8B8A8_UNORM),
    BLOCKS(BC3_SRGB_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_SRGB, R8G8B8A8_SRGB),
    BLOCKS(BC7_UNORM_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_UNORM, R8G8B8A8_UNORM),
    BLOCKS(BC7_SRGB_BLOCK, 16, 4, 4, 8, 8, 8, 8, TEXEL_SRGB, R8G8B8A8_SRGB),
    BLOCKS(BC4_UNORM_BLOCK, 8, 1, 1, 8, 0, 0, 0, TEXEL_UNORM, R8_UNORM),
    BLOCKS(BC5_UNORM_BLOCK, 16, 2, 2, 8, 8, 0, 0, TEXEL_UNORM, R8G8_UNORM),
    BLOCKS(BC4_SNORM_BLOCK, 8, 1, 1, 8, 0, 0, 0, TEXEL_SNORM, R8_SNORM),
    BLOCKS(BC5_SNORM_BLOCK, 16, 2, 2, 8, 8, 0, 0, TEXEL_SNORM, R8G8_SNORM),
    BLOCKS(BC6H_UFLOAT_BLOCK, 16, 8, 4, 16, 16, 16, 16, TEXEL_FLOAT, R16G16B16A16_SFLOAT),
    BLOCKS(BC6H_SFLOAT_BLOCK, 16, 8, 4, 16, 16, 16, 16, TEXEL_FLOAT, R16G16B16A16_SFLOAT),
};

const struct texel_format *texel_format_find(uint32_t format) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i].format == format)
      return &formats[i];
  return NULL;
}

uint32_t texel_format_bytes(uint32_t format, uint32_t aspect) {
  const struct texel_format *f = texel_format_find(format);
  if (!f)
    return 0;
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
    return f->depth_bytes;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
    return f->stencil_bytes;
  return f->depth_bytes || f->stencil_bytes ? 0 : f->bytes;
}
