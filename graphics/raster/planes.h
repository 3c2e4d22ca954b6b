/* Values of a triangle on the screen as planes: at the place (x, y) a value is origin + x along_x + y along_y, in
 * floats and in llvmpipe's order of operations, so that the bits are the same as llvmpipe's.
 *
 * Cost: a plane is made once a triangle and value. Threads: pure functions. */
#ifndef GRAPHICS_PLANES_H
#define GRAPHICS_PLANES_H

#include <math.h>

#include "graphics/raster/triangles.h"

struct plane {
  float origin, along_x, along_y;
};

/* The values that all planes of a triangle share: the first corner, and its sides over twice its area. */
struct plane_setup {
  float x, y, dx01, dy01, dx20, dy20;
  float inverse_w[3];
  struct plane w; /* 1/w */
};

/* half: where the origin of all planes lies in its pixel, 0.5 (the centre) or 0 (the corner; llvmpipe has it so for
 * several samples). */
struct plane_setup plane_setup_of(const struct raster_triangle *triangle, float half);
struct plane plane_of(const struct plane_setup *setup, const float corners[3]);

static inline __attribute__((always_inline)) float plane_at(const struct plane *p, float x, float y) {
  return fmaf(p->along_y, y, fmaf(p->along_x, x, p->origin));
}

#endif
