/* The quads of a draw in a file (docs/frame-format.md): which pixels its triangles cover, before any test of depth.
 *
 * Shapes: quad q of the list is work-items 4q to 4q+3 of the draw's fragment trace. Triangles and quads stand in API
 *         order.
 * Units:  positions in 1/256 pixels from the centre of the first pixel; depths of corners, between which they change
 * evenly.
 * Ownership: quad_file_clear frees the lists. Errors: damage is ERROR_INPUT. After a load every quad's triangle exists,
 *         and its place lies inside the picture. Cost: one pass. */
#ifndef GRAPHICS_QUAD_FILE_H
#define GRAPHICS_QUAD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define QUAD_FILE_MAGIC   "\x89RQUADS\n"
#define QUAD_FILE_VERSION 3

/* In the file, before compression. */
enum { QUAD_FILE_TRIANGLE_BYTES = 5 * 4 + 3 * 12, QUAD_FILE_QUAD_BYTES = 1 + 1, QUAD_FILE_APART_BYTES = 2 + 2 + 4 + 1 };

struct quad_triangle {
  uint32_t primitive, vertices[3], is_front;
  int32_t x[3], y[3];
  float z[3];
};

struct quad {
  int16_t x, y; /* of the top left pixel */
  uint32_t triangle;
  uint8_t coverage; /* bit i: pixel i, as top left, top right, bottom left, bottom right */
  uint8_t passed;   /* of these, the ones that passed the tests in API order */
  uint16_t reserved;
};

/* For a draw with several samples a pixel: bit s of pixel i is set where sample s is covered, or has passed the
 * tests. */
struct quad_samples {
  uint16_t covered[4], passed[4];
};

struct quad_file {
  uint32_t width, height; /* of the targets */
  uint32_t group_items;   /* work-items of a work-group of the fragment trace */
  uint32_t late_tests;    /* 1: the shader discards or writes depth, so that tests cannot come before it */
  uint32_t triangle_count, quad_count;
  struct quad_triangle *triangles;
  struct quad *quads;
  uint32_t sample_count;        /* of a pixel: 1 to 16 */
  struct quad_samples *samples; /* by quad; NULL: one sample a pixel */
};

int quad_file_write(const char *path, const struct quad_file *file, struct error *error);
int quad_file_load(const char *path, struct quad_file *out, struct error *error);
/* The same from memory; `name` stands for the file in messages. */
int quad_file_read(const char *name, const void *bytes, size_t length, struct quad_file *out, struct error *error);
void quad_file_clear(struct quad_file *file);

#endif
