/* Samplers: which texels a read of an image touches, and the colour that it returns. Private to tracegen.
 *
 * A place is three coordinates, of which a kind of image uses the first one to three (image_kind_sizes); the last one
 * of an array's is the layer. The others are not read.
 *
 * Errors: none; image_inside tells which coordinates are defined. Threads: pure functions. Source: OpenCL 1.2,
 * sections 8.2 and 8.4. */
#ifndef TRACEGEN_IMAGE_SAMPLE_H
#define TRACEGEN_IMAGE_SAMPLE_H

#include "workload/image_format.h"
#include "workload/image_kind.h"

#define IMAGE_MAX_TEXELS 8

/* An image as a kernel's argument. Generated code reads the members by their offsets, which a trace's listing names. */
struct image_argument {
  char *texels;           /* slices of slice_bytes each, which are rows of row_bytes each */
  uint32_t width, height; /* the first two of `size` */
  uint32_t row_bytes;
  uint32_t order, type; /* as OpenCL numbers them */
  uint32_t texel_bytes;
  struct image_format format;
  uint8_t kind;     /* enum image_kind */
  uint32_t size[4]; /* width, height and depth as image_kind.h describes them; 0, the last part of get_image_dim */
  uint64_t layers;  /* of an array */
  uint64_t slice_bytes;
};

struct image_sample {
  unsigned count; /* number of texels: 1 or, of a linear filter, 2 for each dimension */
  int32_t x[IMAGE_MAX_TEXELS], y[IMAGE_MAX_TEXELS], z[IMAGE_MAX_TEXELS];
  bool border[IMAGE_MAX_TEXELS]; /* the border's colour is read; x, y, z name the nearest texel */
  float weight[IMAGE_MAX_TEXELS];
};

/* The memory in which generated code and emulation_image exchange operands and result of a call. */
struct image_operands {
  _Alignas(16) union {
    int32_t i[4];
    float f[4];
  } at;
  uint32_t *addresses; /* where the texels' addresses are recorded; NULL: nowhere */
  _Alignas(16) union image_color color;
};

bool image_inside(const struct image_argument *image, const int32_t place[3]);
/* A read at integer coordinates: one texel. The nearest layer is taken, as for a read with a sampler. */
struct image_sample image_sample_texel(const struct image_argument *image, uint32_t sampler, const int32_t place[3]);
struct image_sample image_sample_point(const struct image_argument *image, uint32_t sampler, const float place[3]);
/* The texel that a place lies in, before the addressing mode is applied, and the layer of a read with a sampler, which
 * exists. */
void image_point_texel(const struct image_argument *image, uint32_t sampler, const float place[3], int32_t texel[3]);
/* The layer of an array that a read with a sampler takes for a layer that may not exist. */
int32_t image_nearest_layer(const struct image_argument *image, int32_t layer);

union image_color image_sample_color(const struct image_argument *image, const struct image_sample *sample);

static inline char *image_texel(const struct image_argument *image, int32_t x, int32_t y, int32_t z) {
  return image->texels + (size_t)z * image->slice_bytes + (size_t)y * image->row_bytes + (size_t)x * image->texel_bytes;
}

#endif
