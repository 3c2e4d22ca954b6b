/* Kinds of images: the numbers that a size, a coordinate and a kernel's parameter of each have.
 *
 * An image of any kind is described by a width, a height and a depth in texels. The number of layers of an array
 * stands behind the sizes of a layer: in the height of a 1d_array, in the depth of a 2d_array. Sizes that a kind lacks
 * are 1, so that the three are also OpenCL's region of the whole image.
 *
 * Errors: none. Threads: pure functions. Source: OpenCL 1.2, section 5.3.1.2. */
#ifndef WORKLOAD_IMAGE_KIND_H
#define WORKLOAD_IMAGE_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* A row is X(enumerator, OpenCL's number, "name", dimensions that are filtered, is an array). */
#define IMAGE_KINDS(X)                                                                                                 \
  X(IMAGE_2D, 0x10f1, "2d", 2, false)                                                                                  \
  X(IMAGE_1D, 0x10f4, "1d", 1, false)                                                                                  \
  X(IMAGE_1D_BUFFER, 0x10f6, "1d_buffer", 1, false)                                                                    \
  X(IMAGE_1D_ARRAY, 0x10f5, "1d_array", 1, true)                                                                       \
  X(IMAGE_2D_ARRAY, 0x10f3, "2d_array", 2, true)                                                                       \
  X(IMAGE_3D, 0x10f2, "3d", 3, false)

enum image_kind {
#define X(id, number, name, dimensions, is_array) id,
  IMAGE_KINDS(X)
#undef X
      IMAGE_KIND_COUNT
};

const char *image_kind_name(enum image_kind kind); /* "2d_array" */
/* Returns the sizes as a user writes them: "WIDTH,HEIGHT,LAYERS". */
const char *image_kind_sizes_text(enum image_kind kind);
/* Returns the number of dimensions of an image or of a layer: 1 to 3. */
unsigned image_kind_dimensions(enum image_kind kind);
bool image_kind_is_array(enum image_kind kind);
/* Returns the number of sizes, and of coordinates that choose a texel: one more than the dimensions for an array. */
unsigned image_kind_sizes(enum image_kind kind);
uint32_t image_kind_number(enum image_kind kind); /* OpenCL's number: cl_mem_object_type */
bool image_kind_from_number(uint32_t number, enum image_kind *out);
/* Finds the kind of a parameter by the name of its type, "image3d_t". False: it is none of these. */
bool image_kind_of_type(const char *type_name, enum image_kind *out);

#endif
