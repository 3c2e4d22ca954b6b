/* Samplers: which texels a read of a two-dimensional image touches, and what it gives. Private to tracegen.
 *
 * Errors: none; what the specification leaves undefined is found by image_sample_defined and image_inside.
 * Threads: pure functions. Source: OpenCL 1.2, section 8.2. */
#ifndef TRACEGEN_IMAGE_SAMPLE_H
#define TRACEGEN_IMAGE_SAMPLE_H

#include "workload/image_format.h"

#define IMAGE_MAX_TEXELS 4

/* An image as a kernel's argument; generated code reads width and what follows by their places. */
struct image_argument {
  char *texels; /* row after row, row_bytes apart */
  uint32_t width, height, row_bytes;
  uint32_t order, type; /* OpenCL's numbers */
  uint32_t texel_bytes;
  struct image_format format;
};

struct image_sample {
  unsigned count; /* of texels: 1 or 4 */
  int32_t x[IMAGE_MAX_TEXELS], y[IMAGE_MAX_TEXELS];
  bool border[IMAGE_MAX_TEXELS]; /* the border's colour; x, y are the nearest texel's then */
  float weight[IMAGE_MAX_TEXELS];
};

/* What generated code and emulation_image share in memory. */
struct image_operands {
  union {
    int32_t i[2];
    float f[2];
  } at;
  uint32_t *addresses; /* where those of the texels are recorded, or NULL */
  _Alignas(16) union image_color color;
};

bool image_inside(const struct image_argument *image, int32_t x, int32_t y);
/* Integer coordinates, or no sampler at all: the texel itself. */
struct image_sample image_sample_texel(const struct image_argument *image, uint32_t sampler, int32_t x, int32_t y);
struct image_sample image_sample_point(const struct image_argument *image, uint32_t sampler, float x, float y);
/* The texel that (x, y) lies in, before the addressing mode is applied: for the check under SAMPLER_NONE. */
void image_point_texel(const struct image_argument *image, uint32_t sampler, float x, float y, int32_t texel[2]);

union image_color image_sample_color(const struct image_argument *image, const struct image_sample *sample);

static inline char *image_texel(const struct image_argument *image, int32_t x, int32_t y) {
  return image->texels + (size_t)y * image->row_bytes + (size_t)x * image->texel_bytes;
}

#endif
