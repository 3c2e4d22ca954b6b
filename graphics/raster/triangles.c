#include "graphics/raster/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphics/frame/frame_memory.h"
#include "graphics/raster/clip.h"
#include "graphics/raster/outline.h"

void raster_clear(struct raster *r) {
  frame_memory_give(r->triangles);
  frame_memory_give(r->quads);
  *r = (struct raster){0};
}

void raster_empty(struct raster *r) {
  *r = (struct raster){
      .triangles = r->triangles, .triangle_room = r->triangle_room, .quads = r->quads, .quad_room = r->quad_room};
}

/* Set-up. */

/* The place on the screen, from the centre of the first pixel on; in floats, as llvmpipe computes it: of a vertex with
 * one rounding behind the division, of a corner that clipping has made with two. */
struct screen_place {
  double x, y;
  float z, inverse_w;
};

static float to_screen(const struct clip_corner *c, unsigned axis, float inverse, float scale, float origin) {
  const float share = (float)c->position[axis] * inverse;
  const bool is_vertex = c->weights[0] == 1 || c->weights[1] == 1 || c->weights[2] == 1;
  const volatile float product = share * scale; /* kept from becoming part of a fused operation */
  return is_vertex ? fmaf(share, scale, origin) : product + origin;
}

static struct screen_place place_of(const struct clip_corner *c, const struct raster_state *s) {
  const struct frame_viewport *v = &s->viewport;
  const float inverse = 1 / (float)c->position[3], half_width = v->width / 2, half_height = v->height / 2;
  return (struct screen_place){(double)to_screen(c, 0, inverse, half_width, v->x + half_width) - 0.5,
                               (double)to_screen(c, 1, inverse, half_height, v->y + half_height) - 0.5,
                               to_screen(c, 2, inverse, v->most_depth - v->least_depth, v->least_depth), inverse};
}

/* Limits a place to what coordinates can hold; a viewport may be of any size. */
static double within_range(double place) {
  return fmin(fmax(place, -RASTER_FARTHEST), RASTER_FARTHEST);
}

/* For one sample a pixel, llvmpipe subtracts half a pixel in floats, and then rounds. */
int64_t raster_sub_pixels(double place, uint32_t samples) {
  if (samples > 1)
    return llrint((within_range(place) + 0.5) * RASTER_SUBPIXELS) - RASTER_SUBPIXELS / 2;
  return llrint((double)(float)within_range(place) * RASTER_SUBPIXELS);
}

void raster_place_corner(struct raster_triangle *t, unsigned i, const struct clip_corner *c,
                         const struct raster_state *s) {
  const struct screen_place place = place_of(c, s);
  t->fixed_x[i] = raster_sub_pixels(place.x, s->samples);
  t->fixed_y[i] = raster_sub_pixels(place.y, s->samples);
  t->x[i] = (double)t->fixed_x[i] / RASTER_SUBPIXELS;
  t->y[i] = (double)t->fixed_y[i] / RASTER_SUBPIXELS;
  t->z[i] = (double)place.z;
  t->inverse_w[i] = (double)place.inverse_w;
  memcpy(t->weights[i], c->weights, sizeof t->weights[i]);
}

bool raster_corners(struct clip_corner *corners, const struct raster_vertex *vertices, unsigned count) {
  bool finite = true;
  memset(corners, 0, count * sizeof *corners);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned k = 0; k < 4; k++) {
      corners[i].position[k] = (double)vertices[i].position[k];
      finite = finite && isfinite(vertices[i].position[k]);
    }
    for (unsigned k = 0; k < RASTER_MOST_DISTANCES; k++)
      corners[i].distances[k] = (double)vertices[i].distances[k];
    corners[i].weights[i] = 1;
  }
  return finite;
}

/* Values of a triangle are interpolated from places that are not rounded to sub-pixels, as llvmpipe does it. */
void raster_place_exactly(struct raster_triangle *t, unsigned i, const struct clip_corner *c,
                          const struct raster_state *s) {
  const struct screen_place place = place_of(c, s);
  raster_place_corner(t, i, c, s);
  t->x[i] = within_range(place.x);
  t->y[i] = within_range(place.y);
}

static int64_t area(const struct raster_triangle *t) {
  return (t->fixed_x[1] - t->fixed_x[0]) * (t->fixed_y[2] - t->fixed_y[0]) -
         (t->fixed_x[2] - t->fixed_x[0]) * (t->fixed_y[1] - t->fixed_y[0]);
}

/* Vulkan 1.3, section 28.12.3. */
static void bias_depth(struct raster_triangle *t, const struct raster_state *s) {
  const double d = (double)area(t) / RASTER_SUBPIXELS / RASTER_SUBPIXELS;
  const double x1 = t->x[1] - t->x[0], x2 = t->x[2] - t->x[0], y1 = t->y[1] - t->y[0], y2 = t->y[2] - t->y[0];
  const double z1 = t->z[1] - t->z[0], z2 = t->z[2] - t->z[0];
  const double slope = fmax(fabs((z1 * y2 - z2 * y1) / d), fabs((z2 * x1 - z1 * x2) / d));
  double bias = slope * s->bias_slope + s->bias_constant * s->depth_unit;
  if (s->bias_clamp > 0)
    bias = fmin(bias, s->bias_clamp);
  else if (s->bias_clamp < 0)
    bias = fmax(bias, s->bias_clamp);
  for (int i = 0; i < 3; i++)
    t->z[i] += bias;
}

static bool is_culled(const struct raster_triangle *t, const struct raster_state *s) {
  return s->cull & (t->is_front ? 1u : 2u);
}

/* llvmpipe culls parts of clipped triangles twice, first by places in floats, before they are rounded to sub-pixels: of
 * a sliver the two may see different faces. */
static bool is_culled_before_rounding(const struct raster_triangle *t, const struct raster_state *s) {
  float x[3], y[3];
  for (unsigned i = 0; i < 3; i++) {
    x[i] = (float)(t->x[i] + 0.5);
    y[i] = (float)(t->y[i] + 0.5);
  }
  const float turn = (x[0] - x[2]) * (y[1] - y[2]) - (y[0] - y[2]) * (x[1] - x[2]);
  const bool is_front = s->clockwise_is_front ? turn > 0 : turn < 0;
  return s->cull & (is_front ? 1u : 2u);
}

#define SWAP(array, a, b)                                                                                              \
  do {                                                                                                                 \
    const __typeof__((array)[0]) kept = (array)[a];                                                                    \
    (array)[a] = (array)[b];                                                                                           \
    (array)[b] = kept;                                                                                                 \
  } while (0)

static void swap_corners(struct raster_triangle *t, unsigned a, unsigned b) {
  SWAP(t->fixed_x, a, b);
  SWAP(t->fixed_y, a, b);
  SWAP(t->x, a, b);
  SWAP(t->y, a, b);
  SWAP(t->z, a, b);
  SWAP(t->inverse_w, a, b);
  SWAP(t->smooth.across, a, b);
  SWAP(t->smooth.along, a, b);
  for (unsigned v = 0; v < 3; v++) {
    const double kept = t->weights[a][v];
    t->weights[a][v] = t->weights[b][v];
    t->weights[b][v] = kept;
  }
}

bool raster_add_part(struct raster *r, const struct raster_state *s, struct raster_triangle *t, bool clipped) {
  const int64_t a = area(t);
  t->is_front = s->clockwise_is_front ? a > 0 : a < 0;
  if (a == 0 || is_culled(t, s) || (clipped && is_culled_before_rounding(t, s))) {
    r->counts.culled += a != 0;
    r->counts.empty += a == 0;
    return true;
  }
  if (a > 0) /* llvmpipe's triangles have one turn; the corner for flat values stays */
    swap_corners(t, s->last_provokes ? 0 : 1, s->last_provokes ? 1 : 2);
  if (s->biases_depth)
    bias_depth(t, s);
  struct raster_outline outline = {.corners = 3};
  memcpy(outline.x, t->fixed_x, sizeof t->fixed_x);
  memcpy(outline.y, t->fixed_y, sizeof t->fixed_y);
  return raster_outline_fill(r, s, t, &outline);
}

/* Draws the edges or the corners of a triangle, in llvmpipe's order, unless its visible face is culled. */
static bool add_frame(struct raster *r, const struct raster_state *s, struct raster_triangle *t,
                      const struct raster_vertex places[3]) {
  const int64_t a = area(t);
  t->is_front = s->clockwise_is_front ? a > 0 : a < 0;
  if (is_culled(t, s)) {
    r->counts.culled++;
    return true;
  }
  for (unsigned k = 0; k < 3; k++) {
    const unsigned from = (k + 2) % 3, to = k;
    const struct raster_vertex ends[2] = {places[from], places[to]};
    const uint32_t vertices[2] = {t->vertices[from], t->vertices[to]};
    if (s->polygon_mode == 1 ? !raster_add_line(r, s, vertices, ends, t)
                             : !raster_add_point(r, s, t->vertices[k], &places[k], s->point_size, t))
      return false;
  }
  return true;
}

bool raster_triangle(struct raster *r, const struct raster_state *s, const uint32_t vertices[3], uint32_t provoking,
                     const struct raster_vertex places[3]) {
  struct clip_corner corners[CLIP_MOST_CORNERS];
  unsigned count = raster_corners(corners, places, 3) ? 3 : 0;
  const bool clipped = count > 0 && clip_polygon(corners, &count, s);
  struct raster_triangle t = {.primitive = (uint32_t)r->counts.primitives++,
                              .vertices = {vertices[0], vertices[1], vertices[2]},
                              .provoking = provoking};
  r->counts.clipped += clipped && count > 0;
  r->counts.clipped_away += count == 0;
  for (unsigned i = 1; i + 1 < count; i++) {
    const bool turns = s->last_provokes && clipped; /* llvmpipe keeps the corner for flat values last */
    const unsigned chosen[3] = {turns ? i : 0, turns ? i + 1 : i, turns ? 0 : i + 1};
    for (unsigned k = 0; k < 3; k++)
      raster_place_exactly(&t, k, &corners[chosen[k]], s);
    if (s->polygon_mode && (area(&t) != 0 || i + 2 == count))
      return add_frame(r, s, &t, places);
    if (!s->polygon_mode && !raster_add_part(r, s, &t, clipped))
      return false;
  }
  return true;
}

/* Interpolation. */

void raster_screen_shares(const struct raster_triangle *t, int x, int y, double shares[3]) {
  const double x1 = t->x[1] - t->x[0], x2 = t->x[2] - t->x[0], y1 = t->y[1] - t->y[0], y2 = t->y[2] - t->y[0];
  const double px = x - t->x[0], py = y - t->y[0], d = x1 * y2 - x2 * y1;
  shares[1] = d != 0 ? (px * y2 - x2 * py) / d : 0; /* 0: the corners lie on a line but for their rounding */
  shares[2] = d != 0 ? (x1 * py - px * y1) / d : 0;
  shares[0] = 1 - shares[1] - shares[2];
}
