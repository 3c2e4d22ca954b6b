/* Triangles, lines and points to quads of pixels: clipping, set-up and rasterisation.
 *
 * Shapes: positions are clip coordinates; a quad is 2x2 pixels whose top left one has even coordinates. Quads stand in
 *         the order of their triangles, and of one triangle row after row.
 * Units:  pixels; set-up has 8 sub-pixel bits and the top-left rule, pixel centres lie at halves.
 * Ownership: raster_clear frees quads and triangles. Errors: false means that memory ran out, or that there are more
 *         quads than `most_quads`.
 * Source: Vulkan 1.3, sections 27.4 (clipping), 28.10 (points), 28.11 (lines) and 28.12 (polygons). */
#ifndef GRAPHICS_TRIANGLES_H
#define GRAPHICS_TRIANGLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graphics/frame/frame_record.h"

#define RASTER_MOST_DISTANCES 8

/* A vertex as the shader gives it: clip coordinates, and distances from planes of its own. */
struct raster_vertex {
  float position[4], distances[RASTER_MOST_DISTANCES];
};

/* The target of a draw and its fixed state. */
struct raster_state {
  struct frame_viewport viewport;
  int32_t left, top, right, bottom; /* pixels inside scissor and target; right and bottom are exclusive */
  uint32_t cull;                    /* VkCullModeFlags */
  bool clockwise_is_front, clamps_depth;
  bool last_provokes; /* the last vertex of a primitive gives flat values */
  unsigned distances; /* from planes of the shader: their number */
  bool bresenham;     /* lines cover a pixel in each column or row that they pass; else they are rectangles */
  bool smooth;        /* lines are rectangles whose fragments fade at the sides (raster_smooth_share) */
  float line_width;
  bool biases_depth;
  float bias_constant, bias_slope, bias_clamp, depth_unit; /* depth_unit: the least difference of two depths */
  uint64_t most_quads;
  uint32_t polygon_mode; /* VkPolygonMode: triangles are filled, or their edges or corners are drawn */
  float point_size;      /* of corners, pixels */
  uint32_t samples;      /* of a pixel, at sample_places; 0: one, at the centre */
};

/* A half of a smooth line: the pixels from its axis and from its middle, by corner, and those to its edges. */
struct raster_smooth {
  float across[3], along[3];
  float half_width, half_length; /* 0: the triangle is not a part of a smooth line */
};

/* A triangle after clipping; a corner is a mixture of the corners of the primitive that it is a part of. For a
 * line, two corners are its ends, and the third lies beside the first and has the same values. For a point, all
 * corners have its values, and lie the point's size apart along x and y. So values of all primitives are
 * interpolated in the same way. */
struct raster_triangle {
  uint32_t primitive;
  uint32_t vertices[3]; /* of the primitive */
  uint32_t provoking;   /* the vertex that gives flat values */
  bool is_front;
  double weights[3][3];                  /* of the primitive's vertices, by corner */
  double x[3], y[3], z[3], inverse_w[3]; /* on the screen; of triangles x and y are not rounded */
  int64_t fixed_x[3], fixed_y[3];        /* in 1/256 pixels */
  struct raster_smooth smooth;
};

struct raster_quad {
  int16_t x, y; /* top left */
  uint32_t triangle;
  uint8_t coverage; /* bit i: pixel i, as top left, top right, bottom left, bottom right */
  uint8_t passed;   /* of these, the ones that passed the tests; set by what draws */
  /* For several samples a pixel: bit s of pixel i is set where sample s is covered, or has passed. A pixel is
   * covered where one of its samples is. */
  uint16_t samples[4], passed_samples[4];
  uint16_t early_samples[4]; /* the samples that have passed tests before the shader; where `is_tested` */
  bool is_tested;
  uint8_t shaded_sample; /* the number of the only sample that is shaded, plus 1; 0: all samples at once */
};

/* Counts of primitives by their fate. */
struct raster_counts {
  uint64_t primitives, clipped_away, culled, clipped, empty /* too small to cover a pixel's centre */;
};

struct raster {
  struct raster_triangle *triangles;
  size_t triangle_count, triangle_room;
  struct raster_quad *quads;
  size_t quad_count, quad_room;
  struct raster_counts counts;
  uint64_t primitives_of_instance; /* set by what draws; 0: all */
};

/* Adds a primitive with these vertices, of which `provoking` is one. */
bool raster_triangle(struct raster *raster, const struct raster_state *state, const uint32_t vertices[3],
                     uint32_t provoking, const struct raster_vertex corners[3]);
bool raster_line(struct raster *raster, const struct raster_state *state, const uint32_t vertices[2],
                 uint32_t provoking, const struct raster_vertex ends[2]);
/* `size`: the side of the square in pixels. */
bool raster_point(struct raster *raster, const struct raster_state *state, uint32_t vertex,
                  const struct raster_vertex *place, float size);
void raster_clear(struct raster *raster);
/* Removes all quads and triangles, and keeps their memory. */
void raster_empty(struct raster *raster);
/* Makes of each quad one for each of its samples that is covered somewhere in it, in order. Returns false where memory
 * runs out, or where they are more than `most_quads`. */
bool raster_split_samples(struct raster *raster, uint32_t samples, uint64_t most_quads);

/* Returns the share of a pixel that a smooth line covers, by which the alpha of its fragment is multiplied; `across`
 * and `along` are the values of the line's corners, interpolated. */
float raster_smooth_share(const struct raster_smooth *smooth, float across, float along);

/* Writes the share of each corner at a pixel's centre, for values that change evenly on the screen; the shares add up
 * to 1. */
void raster_screen_shares(const struct raster_triangle *triangle, int x, int y, double shares[3]);

#endif
