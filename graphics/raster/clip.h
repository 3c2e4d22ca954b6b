/* Clipping of triangles, lines and points against the view volume. Private to graphics/raster.
 *
 * Source: Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17 (1974). */
#ifndef GRAPHICS_CLIP_H
#define GRAPHICS_CLIP_H

#include <stdbool.h>

#define CLIP_MOST_CORNERS 12

struct clip_corner {
  double position[4], weights[3];
};

/* Clips at the near and far planes (unless depth is clamped), at w > 0, and at a guard band around the viewport.
 * *count is the corners before and behind; 0: nothing is left. Returns whether anything was cut off. */
bool clip_polygon(struct clip_corner corners[CLIP_MOST_CORNERS], unsigned *count, bool clamps_depth);
/* The same of a line: *left says whether a part of it is left. */
bool clip_line(struct clip_corner ends[2], bool *left, bool clamps_depth);
/* Returns whether a point is inside. */
bool clip_keeps(const struct clip_corner *point, bool clamps_depth);

#endif
