#include "graphics/raster/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/raster/clip.h"

#define SUBPIXELS 256

void raster_clear(struct raster *r) {
  free(r->triangles);
  free(r->quads);
  *r = (struct raster){0};
}

/* Set-up. */

static void place_corner(struct raster_triangle *t, unsigned i, const struct clip_corner *c,
                         const struct raster_state *s) {
  const struct frame_viewport *v = &s->viewport;
  const double inverse = 1 / c->position[3];
  const double x = (c->position[0] * inverse + 1) * v->width / 2 + v->x;
  const double y = (c->position[1] * inverse + 1) * v->height / 2 + v->y;
  t->fixed_x[i] = llrint((x - 0.5) * SUBPIXELS);
  t->fixed_y[i] = llrint((y - 0.5) * SUBPIXELS);
  t->x[i] = (double)t->fixed_x[i] / SUBPIXELS;
  t->y[i] = (double)t->fixed_y[i] / SUBPIXELS;
  t->z[i] = c->position[2] * inverse * (v->most_depth - v->least_depth) + v->least_depth;
  t->inverse_w[i] = inverse;
  memcpy(t->weights[i], c->weights, sizeof t->weights[i]);
}

static int64_t area(const struct raster_triangle *t) {
  return (t->fixed_x[1] - t->fixed_x[0]) * (t->fixed_y[2] - t->fixed_y[0]) -
         (t->fixed_x[2] - t->fixed_x[0]) * (t->fixed_y[1] - t->fixed_y[0]);
}

/* Vulkan 1.3, section 28.12.3. */
static void bias_depth(struct raster_triangle *t, const struct raster_state *s) {
  const double d = (double)area(t) / SUBPIXELS / SUBPIXELS;
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

/* Rasterisation. */

/* Edge functions of a triangle whose area is positive: at least 0 inside, above 0 on edges that are neither top nor left. */
struct edges {
  int64_t dx[3], dy[3], x[3], y[3], least[3];
};

static struct edges edges_of(const struct raster_triangle *t) {
  struct edges e;
  const bool turned = area(t) < 0;
  for (unsigned i = 0; i < 3; i++) {
    const unsigned next = (i + 1) % 3, a = turned ? next : i, b = turned ? i : next;
    e.x[i] = t->fixed_x[a];
    e.y[i] = t->fixed_y[a];
    e.dx[i] = t->fixed_x[b] - t->fixed_x[a];
    e.dy[i] = t->fixed_y[b] - t->fixed_y[a];
    const bool top_left = e.dy[i] < 0 || (e.dy[i] == 0 && e.dx[i] > 0);
    e.least[i] = top_left ? 0 : 1;
  }
  return e;
}

static bool covers(const struct edges *e, int x, int y) {
  for (unsigned i = 0; i < 3; i++)
    if (e->dx[i] * ((int64_t)y * SUBPIXELS - e->y[i]) - e->dy[i] * ((int64_t)x * SUBPIXELS - e->x[i]) < e->least[i])
      return false;
  return true;
}

static uint8_t coverage(const struct edges *e, const struct raster_state *s, int x, int y) {
  uint8_t mask = 0;
  for (int i = 0; i < 4; i++) {
    const int px = x + (i & 1), py = y + (i >> 1);
    if (px >= s->left && px < s->right && py >= s->top && py < s->bottom && covers(e, px, py))
      mask |= (uint8_t)(1 << i);
  }
  return mask;
}

static int64_t least(const int64_t v[3]) {
  const int64_t a = v[0] < v[1] ? v[0] : v[1];
  return a < v[2] ? a : v[2];
}

static int64_t most(const int64_t v[3]) {
  const int64_t a = v[0] > v[1] ? v[0] : v[1];
  return a > v[2] ? a : v[2];
}

static int64_t within(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}

static bool add_quad(struct raster *r, const struct raster_state *s, int x, int y, uint8_t mask) {
  if (r->quad_count >= s->most_quads || !array_room(&r->quads, &r->quad_room, r->quad_count + 1, sizeof *r->quads))
    return false;
  r->quads[r->quad_count++] = (struct raster_quad){(int16_t)x, (int16_t)y, (uint32_t)r->triangle_count, mask, 0};
  return true;
}

static bool rasterise(struct raster *r, const struct raster_triangle *t, const struct raster_state *s) {
  const struct edges e = edges_of(t);
  const int left = (int)within((least(t->fixed_x) >> 8), s->left, s->right) & ~1;
  const int top = (int)within((least(t->fixed_y) >> 8), s->top, s->bottom) & ~1;
  const int right = (int)within((most(t->fixed_x) >> 8) + 1, s->left, s->right);
  const int bottom = (int)within((most(t->fixed_y) >> 8) + 1, s->top, s->bottom);
  for (int y = top; y < bottom; y += 2)
    for (int x = left; x < right; x += 2) {
      const uint8_t mask = coverage(&e, s, x, y);
      if (mask && !add_quad(r, s, x, y, mask))
        return false;
    }
  return true;
}

static bool add_part(struct raster *r, const struct raster_state *s, struct raster_triangle *t) {
  const size_t before = r->quad_count;
  const int64_t a = area(t);
  t->is_front = s->clockwise_is_front ? a > 0 : a < 0;
  if (a == 0 || is_culled(t, s)) {
    r->counts.culled += a != 0;
    r->counts.empty += a == 0;
    return true;
  }
  if (s->biases_depth)
    bias_depth(t, s);
  if (!array_room(&r->triangles, &r->triangle_room, r->triangle_count + 1, sizeof *r->triangles) || !rasterise(r, t, s))
    return false;
  r->counts.empty += r->quad_count == before;
  r->triangles[r->triangle_count++] = *t;
  return true;
}

bool raster_triangle(struct raster *r, const struct raster_state *s, const uint32_t vertices[3], uint32_t provoking,
                     const float positions[3][4]) {
  struct clip_corner corners[CLIP_MOST_CORNERS];
  unsigned count = 3;
  memset(corners, 0, sizeof corners);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 4; k++) {
      corners[i].position[k] = (double)positions[i][k];
      if (!isfinite(positions[i][k]))
        count = 0;
    }
    corners[i].weights[i] = 1;
  }
  const bool clipped = count > 0 && clip_polygon(corners, &count, s->clamps_depth);
  struct raster_triangle t = {.primitive = (uint32_t)r->counts.primitives++,
                              .vertices = {vertices[0], vertices[1], vertices[2]},
                              .provoking = provoking};
  r->counts.clipped += clipped && count > 0;
  r->counts.clipped_away += count == 0;
  for (unsigned i = 1; i + 1 < count; i++) {
    const unsigned chosen[3] = {0, i, i + 1};
    for (unsigned k = 0; k < 3; k++)
      place_corner(&t, k, &corners[chosen[k]], s);
    if (!add_part(r, s, &t))
      return false;
  }
  return true;
}

/* Interpolation. */

void raster_screen_shares(const struct raster_triangle *t, int x, int y, double shares[3]) {
  const double x1 = t->x[1] - t->x[0], x2 = t->x[2] - t->x[0], y1 = t->y[1] - t->y[0], y2 = t->y[2] - t->y[0];
  const double px = x - t->x[0], py = y - t->y[0], d = x1 * y2 - x2 * y1;
  shares[1] = (px * y2 - x2 * py) / d;
  shares[2] = (x1 * py - px * y1) / d;
  shares[0] = 1 - shares[1] - shares[2];
}

double raster_inverse_w(const struct raster_triangle *t, const double s[3]) {
  return s[0] * t->inverse_w[0] + s[1] * t->inverse_w[1] + s[2] * t->inverse_w[2];
}

double raster_depth(const struct raster_triangle *t, const double s[3]) {
  return s[0] * t->z[0] + s[1] * t->z[1] + s[2] * t->z[2];
}

void raster_vertex_shares(const struct raster_triangle *t, const double screen[3], double shares[3]) {
  const double w = 1 / raster_inverse_w(t, screen);
  for (int v = 0; v < 3; v++) {
    shares[v] = 0;
    for (int c = 0; c < 3; c++)
      shares[v] += screen[c] * t->inverse_w[c] * w * t->weights[c][v];
  }
}
