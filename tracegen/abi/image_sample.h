/* Samplers: which texels a read of a two-dimensional image touches, and the colour that it returns. Private to
 * tracegen.
 *
 * Errors: none; image_inside tells which coordinates are defined. Threads: pure functions. Source: OpenCL 1.2,
 * section 8.2. */
#ifndef TRACEGEN_IMAGE_SAMPLE_H
#define TRACEGEN_IMAGE_SAMPLE_H

#include "workload/image_format.h"

#define IMAGE_MAX_TEXELS 4

/* An image as a kernel's argument. Generated code reads `width` and the members behind it by their offsets. */
struct image_argument {
  char *texels; /* rows of row_bytes each */
  uint32_t width, height, row_bytes;
  uint32_t order, type; /* as OpenCL numbers them */
  uint32_t texel_bytes;
  struct image_format format;
};

struct image_sample {
  unsigned count; /* number of texels: 1 or 4 */
  int32_t x[IMAGE_MAX_TEXELS], y[IMAGE_MAX_TEXELS];
  bool border[IMAGE_MAX_TEXELS]; /* the border's colour is read; x, y name the nearest texel */
  float weight[IMAGE_MAX_TEXELS];
};

/* The memory in which generated code and emulation_image exchange operands and result of a call. */
struct image_operands {
  union {
    int32_t i[2];
    float f[2];
  } at;
  uint32_t *addresses; /* where the texels' addresses are recorded; NULL: nowhere */
  _Alignas(16) union image_color color;
};

bool image_inside(const struct image_argument *image, int32_t x, int32_t y);
/* A read at integer coordinates or without a sampler: one texel. */
struct image_sample image_sample_texel(const struct image_argument *image, uint32_t sampler, int32_t x, int32_t y);
struct image_sample image_sample_point(const struct image_argument *image, uint32_t sampler, float x, float y);
/* The texel that (x, y) lies in, before the addressing mode is applied. */
void image_point_texel(const struct image_argument *image, uint32_t sampler, float x, float y, int32_t texel[2]);

union image_color image_sample_color(const struct image_argument *image, const struct image_sample *sample);

static inline char *image_texel(const struct image_argument *image, int32_t x, int32_t y) {
  return image->texels + (size_t)y * image->row_bytes + (size_t)x * image->texel_bytes;
}

#endif
