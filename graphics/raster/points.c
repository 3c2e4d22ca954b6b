/* Points, as squares. */
#include <math.h>

#include "graphics/raster/outline.h"

bool raster_point(struct raster *r, const struct raster_state *s, uint32_t vertex, const struct raster_vertex *place,
                  float size) {
  const struct raster_triangle part = {
      .primitive = (uint32_t)r->counts.primitives++, .provoking = vertex, .is_front = true};
  return raster_add_point(r, s, vertex, place, size, &part);
}

bool raster_add_point(struct raster *r, const struct raster_state *s, uint32_t vertex,
                      const struct raster_vertex *place, float size, const struct raster_triangle *part) {
  struct clip_corner corner;
  struct raster_outline outline = {.corners = 4};
  struct raster_triangle t = {.primitive = part->primitive,
                              .vertices = {vertex, vertex, vertex},
                              .provoking = part->provoking,
                              .is_front = part->is_front};
  if (!raster_corners(&corner, place, 1) || !clip_keeps(&corner, s) || !(size >= 0)) {
    r->counts.clipped_away++;
    return true;
  }
  size = fminf(fmaxf(size, 1), RASTER_MOST_SIZE); /* the least of lavapipe is a pixel */
  for (unsigned i = 0; i < 3; i++) {
    raster_place_corner(&t, i, &corner, s);
    t.x[i] += i == 1 ? (double)size : 0;
    t.y[i] += i == 2 ? (double)size : 0;
  }
  const int64_t width = llround((double)size * RASTER_SUBPIXELS), half = width / 2;
  for (unsigned i = 0; i < 4; i++) {
    outline.x[i] = t.fixed_x[0] - half + (i == 1 || i == 2 ? width : 0);
    outline.y[i] = t.fixed_y[0] - half + (i >= 2 ? width : 0);
  }
  return raster_outline_fill(r, s, &t, &outline);
}
