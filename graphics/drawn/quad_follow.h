/* The quad that follows another one where a triangle is rasterised row by row. Files of quads keep only the quads that
 * do not follow. Private to graphics/drawn.
 *
 * A pixel is covered as graphics/raster/outline.h says, by its centre, within the targets. The next quad is the next
 * covered one of the same triangle, in rows from the top and from left to right, or the first one of a later triangle.
 * Writer and reader look at the same places: at most QUAD_FOLLOW_STEPS for each quad of the file on average, so that a
 * damaged file takes no longer. Errors: none. Threads: an object belongs to one thread. */
#ifndef GRAPHICS_QUAD_FOLLOW_H
#define GRAPHICS_QUAD_FOLLOW_H

#include "graphics/drawn/quad_file.h"

#define QUAD_FOLLOW_STEPS 128

struct quad_follow {
  const struct quad_file *file; /* its triangles and targets are known */
  uint64_t steps;               /* that are left */
};

static inline struct quad_follow quad_follow_begin(const struct quad_file *file) {
  return (struct quad_follow){file, UINT64_C(65536) + (uint64_t)file->quad_count * QUAD_FOLLOW_STEPS};
}

/* Returns the quad that follows `before` (NULL: the first one), of which nothing has passed. Coverage 0: none. */
struct quad quad_follow_next(struct quad_follow *follow, const struct quad *before);

#endif
