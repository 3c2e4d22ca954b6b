/* The pixels of triangles, lines and points: each is a convex outline on the screen. Private to graphics/raster.
 *
 * Units: 1/256 pixels from the centre of the first pixel. A pixel is covered where its centre is inside, or on an edge
 *        that is at the top or the left.
 * Source: Pineda, "A parallel algorithm for polygon rasterization", SIGGRAPH 1988; Vulkan 1.3, section 28.12.1. */
#ifndef GRAPHICS_OUTLINE_H
#define GRAPHICS_OUTLINE_H

#include "graphics/raster/clip.h"
#include "graphics/raster/triangles.h"

#define RASTER_SUBPIXELS            256
#define RASTER_OUTLINE_MOST_CORNERS 4
/* Pixels of the width of a line or the side of a point at most, so that coordinates stay far from the ends of their
 * type. Above what devices allow: llvmpipe 255, AMD's up to 8191.875 (vulkan.gpuinfo.org, pointSizeRange). */
#define RASTER_MOST_SIZE 16384.0F
/* Pixels from the centre of the first one to a corner at most: sixteen viewports (clip.c) of 262,144 pixels. */
#define RASTER_FARTHEST 4194304.0

struct raster_outline {
  unsigned corners; /* 3 or 4, in either turn */
  int64_t x[RASTER_OUTLINE_MOST_CORNERS], y[RASTER_OUTLINE_MOST_CORNERS];
};

/* Adds the triangle by which values are interpolated, and the quads of the outline. False: as raster_triangle. */
bool raster_outline_fill(struct raster *raster, const struct raster_state *state,
                         const struct raster_triangle *triangle, const struct raster_outline *outline);

/* Adds a line, or a square around a vertex, as a part of the primitive that `part` names: its number, its vertex for
 * flat values, its side. False: as raster_triangle. */
bool raster_add_line(struct raster *raster, const struct raster_state *state, const uint32_t vertices[2],
                     const struct raster_vertex ends[2], const struct raster_triangle *part);
bool raster_add_point(struct raster *raster, const struct raster_state *state, uint32_t vertex,
                      const struct raster_vertex *place, float size, const struct raster_triangle *part);

/* Makes the corners of a primitive with these vertices. False: a position is not finite. */
bool raster_corners(struct clip_corner *corners, const struct raster_vertex *vertices, unsigned count);
/* Places a corner of a clipped primitive on the screen. */
void raster_place_corner(struct raster_triangle *triangle, unsigned corner, const struct clip_corner *from,
                         const struct raster_state *state);

/* The same without rounding to sub-pixels. */
void raster_place_exactly(struct raster_triangle *triangle, unsigned corner, const struct clip_corner *from,
                          const struct raster_state *state);
/* Returns the nearest coordinate in sub-pixels. */
int64_t raster_sub_pixels(double place, uint32_t samples);
/* Adds a triangle whose corners have been placed, unless its visible face is culled; `clipped`: clipping made it.
 * False: as raster_triangle. */
bool raster_add_part(struct raster *raster, const struct raster_state *state, struct raster_triangle *triangle,
                     bool clipped);
/* Adds a smooth line, whose ends raster_place_exactly has placed as the first two corners. */
bool raster_add_smooth(struct raster *raster, const struct raster_state *state, const struct raster_triangle *line);

#endif
