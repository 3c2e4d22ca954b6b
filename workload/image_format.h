/* Formats of images: how a texel lies in memory, which colour it stands for, and the conversion between the two.
 *
 * Shapes: a colour is four numbers r, g, b, a; the channels of a texel lie in the order that the name of the channel
 * order spells. Errors: none; image_format_valid checks a format once. Threads: pure functions.
 * Source: OpenCL 1.2, sections 5.3.1.1 (formats), 6.12.14 (reading functions), 8.3 (conversions). */
#ifndef WORKLOAD_IMAGE_FORMAT_H
#define WORKLOAD_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/scalar_type.h"

/* A row of the channel orders is X(enumerator, OpenCL's number, "channels in memory", source of r, of g, of b, of a).
 * In the channels, i and l are intensity and luminance. A source is the index of a channel, FROM_ZERO or FROM_ONE. */
#define IMAGE_ORDERS(X)                                                                                                \
  X(IMAGE_R, 0x10b0, "r", 0, FROM_ZERO, FROM_ZERO, FROM_ONE)                                                           \
  X(IMAGE_A, 0x10b1, "a", FROM_ZERO, FROM_ZERO, FROM_ZERO, 0)                                                          \
  X(IMAGE_RG, 0x10b2, "rg", 0, 1, FROM_ZERO, FROM_ONE)                                                                 \
  X(IMAGE_RA, 0x10b3, "ra", 0, FROM_ZERO, FROM_ZERO, 1)                                                                \
  X(IMAGE_RGBA, 0x10b5, "rgba", 0, 1, 2, 3)                                                                            \
  X(IMAGE_BGRA, 0x10b6, "bgra", 2, 1, 0, 3)                                                                            \
  X(IMAGE_ARGB, 0x10b7, "argb", 1, 2, 3, 0)                                                                            \
  X(IMAGE_INTENSITY, 0x10b8, "i", 0, 0, 0, 0)                                                                          \
  X(IMAGE_LUMINANCE, 0x10b9, "l", 0, 0, 0, FROM_ONE)

/* A row of the channel types is X(enumerator, OpenCL's number, "name", type in memory, type of a colour's numbers). */
#define IMAGE_TYPES(X)                                                                                                 \
  X(IMAGE_SNORM_INT8, 0x10d0, "snorm_int8", SCALAR_CHAR, IMAGE_FLOATS)                                                 \
  X(IMAGE_SNORM_INT16, 0x10d1, "snorm_int16", SCALAR_SHORT, IMAGE_FLOATS)                                              \
  X(IMAGE_UNORM_INT8, 0x10d2, "unorm_int8", SCALAR_UCHAR, IMAGE_FLOATS)                                                \
  X(IMAGE_UNORM_INT16, 0x10d3, "unorm_int16", SCALAR_USHORT, IMAGE_FLOATS)                                             \
  X(IMAGE_SIGNED_INT8, 0x10d7, "signed_int8", SCALAR_CHAR, IMAGE_INTEGERS)                                             \
  X(IMAGE_SIGNED_INT16, 0x10d8, "signed_int16", SCALAR_SHORT, IMAGE_INTEGERS)                                          \
  X(IMAGE_SIGNED_INT32, 0x10d9, "signed_int32", SCALAR_INT, IMAGE_INTEGERS)                                            \
  X(IMAGE_UNSIGNED_INT8, 0x10da, "unsigned_int8", SCALAR_UCHAR, IMAGE_UNSIGNED)                                        \
  X(IMAGE_UNSIGNED_INT16, 0x10db, "unsigned_int16", SCALAR_USHORT, IMAGE_UNSIGNED)                                     \
  X(IMAGE_UNSIGNED_INT32, 0x10dc, "unsigned_int32", SCALAR_UINT, IMAGE_UNSIGNED)                                       \
  X(IMAGE_HALF_FLOAT, 0x10dd, "half_float", SCALAR_HALF, IMAGE_FLOATS)                                                 \
  X(IMAGE_FLOAT, 0x10de, "float", SCALAR_FLOAT, IMAGE_FLOATS)

/* The bits of a sampler, as clang defines CLK_... and as kernels are passed them here. */
#define SAMPLER_NORMALISED      0x01u
#define SAMPLER_ADDRESS         0x0eu /* one of the following five */
#define SAMPLER_NONE            0x00u
#define SAMPLER_CLAMP_TO_EDGE   0x02u
#define SAMPLER_CLAMP           0x04u
#define SAMPLER_REPEAT          0x06u
#define SAMPLER_MIRRORED_REPEAT 0x08u
#define SAMPLER_NEAREST         0x10u
#define SAMPLER_LINEAR          0x20u

enum image_order {
#define X(id, number, channels, r, g, b, a) id,
  IMAGE_ORDERS(X)
#undef X
      IMAGE_ORDER_COUNT
};

/* The type of a colour's numbers. The reading functions' names end in it: read_imagef, read_imagei, read_imageui, and
 * read_imageh, which rounds what read_imagef returns. No format has IMAGE_HALVES. */
enum image_numbers { IMAGE_FLOATS, IMAGE_INTEGERS, IMAGE_UNSIGNED, IMAGE_HALVES };

enum image_type {
#define X(id, number, name, storage, numbers) id,
  IMAGE_TYPES(X)
#undef X
      IMAGE_TYPE_COUNT
};

struct image_format {
  uint8_t order, type; /* enum image_order, enum image_type */
};

union image_color {
  float f[4];
  int32_t i[4];
  uint32_t u[4];
};

const char *image_order_name(enum image_order order); /* "RGBA" */
const char *image_type_name(enum image_type type);    /* "unorm_int8" */
uint32_t image_order_number(enum image_order order);  /* OpenCL's number: cl_channel_order, CLK_RGBA */
uint32_t image_type_number(enum image_type type);
/* Finds the format with OpenCL's numbers. Returns false if it is not supported. */
bool image_format_from_numbers(uint32_t order, uint32_t type, struct image_format *out);
/* Returns whether OpenCL allows this order with this type. */
bool image_format_valid(struct image_format format);

enum scalar_type image_storage(struct image_format format);
enum image_numbers image_numbers_of(struct image_format format);
unsigned image_channels(struct image_format format);
size_t image_texel_bytes(struct image_format format);

/* Returns the number that a byte of IMAGE_UNORM_INT8 stands for: a product with the rounded reciprocal, as PoCL has it.
 * The error is at most 1.25 ULPs; OpenCL allows 1.5 (8.3.1.1). */
static inline float image_byte_fraction(uint8_t byte) {
  return (float)byte * (1.0f / 255.0f);
}

/* Returns the colour of the texel at `memory`. Missing channels are 0, a missing alpha is 1. */
union image_color image_load(struct image_format format, const void *memory);
/* Stores a colour. A number outside of the texel's range becomes the nearest one in it. */
void image_store(struct image_format format, void *memory, const union image_color *color);
/* Returns the colour outside of the image under CLK_ADDRESS_CLAMP. */
union image_color image_border(struct image_format format);

#endif
