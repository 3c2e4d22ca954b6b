/* Smooth lines (antialiased ones of OpenGL): a rectangle, half a pixel larger than the line on each side, in which the
 * alpha of a fragment is multiplied by the share of the pixel that the line covers. The rectangle is drawn as two
 * triangles, and the share is computed of distances, as llvmpipe does it (Mesa,
 * src/gallium/auxiliary/draw/draw_pipe_aaline.c). */
#include <math.h>

#include "graphics/raster/outline.h"

/* Puts corner `from` of the rectangle into corner `to` of a triangle: 0 and 1 lie at the first end, on either side. */
static void put_corner(struct raster_triangle *t, unsigned to, const struct raster_triangle *line, unsigned from,
                       const struct raster_smooth *edge, uint32_t samples) {
  const float dx = (float)line->x[1] - (float)line->x[0], dy = (float)line->y[1] - (float)line->y[0];
  const float angle = atan2f(dy, dx), c = cosf(angle), s = sinf(angle);
  const float beyond = from < 2 ? -0.5f : 0.5f, beside = from % 2 == 0 ? edge->half_width : -edge->half_width;
  const unsigned end = from / 2;
  t->x[to] = (double)((float)(line->x[end] + 0.5) + (beyond * c - beside * s)) - 0.5;
  t->y[to] = (double)((float)(line->y[end] + 0.5) + (beyond * s + beside * c)) - 0.5;
  t->fixed_x[to] = raster_sub_pixels(t->x[to], samples);
  t->fixed_y[to] = raster_sub_pixels(t->y[to], samples);
  t->z[to] = line->z[end];
  t->inverse_w[to] = line->inverse_w[end];
  for (unsigned v = 0; v < 3; v++)
    t->weights[to][v] = line->weights[end][v];
  t->smooth.across[to] = -beside;
  t->smooth.along[to] = end == 0 ? -edge->half_length : edge->half_length;
}

bool raster_add_smooth(struct raster *r, const struct raster_state *state, const struct raster_triangle *line) {
  static const unsigned corners[2][3] = {{2, 1, 0}, {3, 1, 2}};
  const float dx = (float)line->x[1] - (float)line->x[0], dy = (float)line->y[1] - (float)line->y[0];
  const float width = fminf(state->line_width, RASTER_MOST_SIZE);
  const float half = 0.5f * sqrtf(dx * dx + dy * dy);
  /* A line shorter than a pixel covers the less of its two or three pixels the shorter it is. */
  const struct raster_smooth edge = {.half_width = width > 1 ? 0.5f * width + 0.5f : 1,
                                     .half_length = half < 0.5f ? 2 * half : half + 0.5f};
  struct raster_state s = *state;
  s.cull = 0;
  s.biases_depth = false;
  for (unsigned part = 0; part < 2; part++) {
    struct raster_triangle t = *line;
    t.smooth = edge;
    for (unsigned k = 0; k < 3; k++)
      put_corner(&t, k, line, corners[part][k], &edge, s.samples);
    if (!raster_add_part(r, &s, &t, false))
      return false;
  }
  return true;
}

static float saturate(float v) {
  return v > 0 ? (v < 1 ? v : 1) : 0;
}

float raster_smooth_share(const struct raster_smooth *e, float across, float along) {
  return saturate(e->half_width - fabsf(across)) * saturate(e->half_length - fabsf(along));
}
