/* Lines, as rectangles or in the manner of Bresenham. */
#include <math.h>

#include "graphics/raster/outline.h"

/* Outlines have coordinates along the longer side of the line, `along`, and the shorter one, `across`. */
struct span {
  double along[2], across[2]; /* of the ends, in pixels */
  bool is_steep;              /* along is y */
};

static struct span span_of(const struct raster_triangle *t) {
  const bool steep = fabs(t->y[1] - t->y[0]) > fabs(t->x[1] - t->x[0]);
  const double *along = steep ? t->y : t->x, *across = steep ? t->x : t->y;
  return (struct span){{along[0], along[1]}, {across[0], across[1]}, steep};
}

static void put_corner(struct raster_outline *o, const struct span *s, double along, double across) {
  const int64_t a = llrint(along * RASTER_SUBPIXELS), b = llrint(across * RASTER_SUBPIXELS);
  o->x[o->corners] = s->is_steep ? b : a;
  o->y[o->corners++] = s->is_steep ? a : b;
}

/* Returns whether a place is inside of the diamond around the nearest pixel's centre. */
static bool is_in_diamond(double along, double across) {
  return fabs(along - rint(along)) + fabs(across - rint(across)) < 0.5;
}

/* Returns whether a line has the pixel with this centre between its ends, as the top-left rule counts centres. */
static bool has_between(const struct span *s, double centre) {
  return centre >= fmin(s->along[0], s->along[1]) && centre < fmax(s->along[0], s->along[1]);
}

/* A line covers the pixels whose diamonds it leaves (Vulkan 1.3, section 28.11.2): in each column between its ends the
 * nearest one; the first if the line begins before its centre or in its diamond; the last if it goes beyond its centre
 * and ends outside of its diamond. The outline is the line itself, moved across to both sides; an end moves to the
 * edge of its pixel only where the outline would else have a pixel more or less, as in llvmpipe. */
static bool bresenham_outline(const struct span *s, double width, struct raster_outline *o) {
  const double way = s->along[1] > s->along[0] ? 1 : -1;
  const double slope = (s->across[1] - s->across[0]) / (s->along[1] - s->along[0]);
  double first = rint(s->along[0]), last = rint(s->along[1]);
  if ((s->along[0] - first) * way > 0 && !is_in_diamond(s->along[0], s->across[0]))
    first += way;
  if ((s->along[1] - last) * way <= 0 || is_in_diamond(s->along[1], s->across[1]))
    last -= way;
  if ((last - first) * way < 0)
    return false;
  const double begin = has_between(s, first) ? s->along[0] : first - way / 2;
  const double end = has_between(s, last + way) ? last + way / 2 : s->along[1];
  const double at_begin = s->across[0] + (begin - s->along[0]) * slope;
  const double at_end = s->across[1] + (end - s->along[1]) * slope;
  put_corner(o, s, begin, at_begin - width / 2);
  put_corner(o, s, end, at_end - width / 2);
  put_corner(o, s, end, at_end + width / 2);
  put_corner(o, s, begin, at_begin + width / 2);
  return true;
}

static void rectangle_outline(const struct span *s, double width, struct raster_outline *o) {
  const double dx = s->along[1] - s->along[0], dy = s->across[1] - s->across[0];
  const double scale = width / 2 / hypot(dx, dy), nx = -dy * scale, ny = dx * scale;
  put_corner(o, s, s->along[0] - nx, s->across[0] - ny);
  put_corner(o, s, s->along[1] - nx, s->across[1] - ny);
  put_corner(o, s, s->along[1] + nx, s->across[1] + ny);
  put_corner(o, s, s->along[0] + nx, s->across[0] + ny);
}

/* The third corner lies beside the first and has its values. Beside is across the line; for a line in the manner of
 * Bresenham it is across the columns, so that all pixels of a column have the same values, as llvmpipe gives them. */
static void complete(struct raster_triangle *t, const struct span *s, bool bresenham) {
  const double dx = t->x[1] - t->x[0], dy = t->y[1] - t->y[0];
  t->x[2] = t->x[0] + (bresenham ? s->is_steep : -dy);
  t->y[2] = t->y[0] + (bresenham ? !s->is_steep : dx);
  t->fixed_x[2] = llrint(t->x[2] * RASTER_SUBPIXELS);
  t->fixed_y[2] = llrint(t->y[2] * RASTER_SUBPIXELS);
  t->z[2] = t->z[0];
  t->inverse_w[2] = t->inverse_w[0];
  for (int i = 0; i < 3; i++)
    t->weights[2][i] = t->weights[0][i];
}

bool raster_line(struct raster *r, const struct raster_state *s, const uint32_t vertices[2], uint32_t provoking,
                 const struct raster_vertex places[2]) {
  const struct raster_triangle part = {
      .primitive = (uint32_t)r->counts.primitives++, .provoking = provoking, .is_front = true};
  return raster_add_line(r, s, vertices, places, &part);
}

bool raster_add_line(struct raster *r, const struct raster_state *s, const uint32_t vertices[2],
                     const struct raster_vertex places[2], const struct raster_triangle *part) {
  struct clip_corner ends[2];
  struct raster_outline outline = {0};
  bool left = raster_corners(ends, places, 2);
  const bool clipped = left && clip_line(ends, &left, s);
  struct raster_triangle t = {.primitive = part->primitive,
                              .vertices = {vertices[0], vertices[1], vertices[0]},
                              .provoking = part->provoking,
                              .is_front = part->is_front};
  r->counts.clipped += clipped && left;
  r->counts.clipped_away += !left;
  if (!left)
    return true;
  for (unsigned i = 0; i < 2; i++)
    raster_place_exactly(&t, i, &ends[i], s);
  if (s->smooth)
    return raster_add_smooth(r, s, &t);
  const struct span span = span_of(&t);
  complete(&t, &span, s->bresenham);
  const double width = s->line_width > 0 ? (double)fminf(s->line_width, RASTER_MOST_SIZE) : 1;
  bool covers = span.along[0] != span.along[1];
  if (covers && s->bresenham)
    covers = bresenham_outline(&span, width, &outline);
  else if (covers)
    rectangle_outline(&span, width, &outline);
  r->counts.empty += !covers;
  return !covers || raster_outline_fill(r, s, &t, &outline);
}
