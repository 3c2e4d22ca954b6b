/* Clipping of triangles, lines and points against the view volume. Private to graphics/raster.
 *
 * Source: Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17 (1974). */
#ifndef GRAPHICS_CLIP_H
#define GRAPHICS_CLIP_H

#include "graphics/raster/triangles.h"

#define CLIP_MOST_CORNERS 20

struct clip_corner {
  double position[4], weights[3];
  double distances[RASTER_MOST_DISTANCES]; /* from the shader's own planes: what is below 0 is cut off */
};

/* Clips at the near and far planes (unless depth is clamped), at w > 0, at the sides of the viewport, as llvmpipe
 * does it (the corners that are made there decide about pixels of edges), and at the planes of the shader. Lines and
 * points have a guard band around the viewport instead. *count is the corners before and behind; 0: nothing is left.
 * Returns whether anything was cut off. */
bool clip_polygon(struct clip_corner corners[CLIP_MOST_CORNERS], unsigned *count, const struct raster_state *state);
/* The same of a line: *left says whether a part of it is left. */
bool clip_line(struct clip_corner ends[2], bool *left, const struct raster_state *state);
/* Returns whether a point is inside. */
bool clip_keeps(const struct clip_corner *point, const struct raster_state *state);

#endif
