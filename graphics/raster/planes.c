#include "graphics/raster/planes.h"

struct plane plane_of(const struct plane_setup *s, const float c[3]) {
  const float d01 = c[0] - c[1], d20 = c[2] - c[0];
  struct plane p = {.along_x = d01 * s->dy20 - d20 * s->dy01, .along_y = d20 * s->dx01 - d01 * s->dx20};
  p.origin = c[0] - (p.along_x * s->x + p.along_y * s->y);
  return p;
}

struct plane_setup plane_setup_of(const struct raster_triangle *t, float half) {
  float x[3], y[3];
  struct plane_setup s;
  for (int i = 0; i < 3; i++) {
    x[i] = (float)(t->x[i] + 0.5);
    y[i] = (float)(t->y[i] + 0.5);
    s.inverse_w[i] = (float)t->inverse_w[i];
  }
  const float dx01 = x[0] - x[1], dy01 = y[0] - y[1], dx20 = x[2] - x[0], dy20 = y[2] - y[0];
  const float scale = 1 / (dx01 * dy20 - dy01 * dx20);
  s.x = x[0] - half;
  s.y = y[0] - half;
  s.dx01 = dx01 * scale;
  s.dy01 = dy01 * scale;
  s.dx20 = dx20 * scale;
  s.dy20 = dy20 * scale;
  s.w = plane_of(&s, s.inverse_w);
  return s;
}
