/* Triangles between rows of points of a patch. */
#include "base/array.h"
#include "graphics/execute/primitives/tessellator.h"

#define MOST_HALF 32 /* segments of half an edge */

static void add_corner(struct stitch *s, uint32_t point) {
  struct tessellated *out = s->out;
  if (s->failed || !array_room_for_one(&out->corners, out->corner_count, sizeof *out->corners)) {
    s->failed = true;
    return;
  }
  out->corners[out->corner_count++] = point;
}

void stitch_triangle(struct stitch *s, uint32_t a, uint32_t b, uint32_t c) {
  if (s->how->makes_points)
    return;
  add_corner(s, a);
  add_corner(s, s->how->clockwise ? b : c);
  add_corner(s, s->how->clockwise ? c : b);
}

void stitch_line(struct stitch *s, uint32_t a, uint32_t b) {
  if (s->how->makes_points)
    return;
  add_corner(s, a);
  add_corner(s, b);
}

void stitch_point(struct stitch *s, uint32_t point) {
  add_corner(s, point);
}

/* Two rows that triangles lie between, and the point of each that is next. */
struct rows {
  struct stitch *s;
  const uint32_t *inside, *outside;
};

static void step_inside(struct rows *r) {
  stitch_triangle(r->s, r->inside[0], r->outside[0], r->inside[1]);
  r->inside++;
}

static void step_outside(struct rows *r) {
  stitch_triangle(r->s, r->outside[0], r->outside[1], r->inside[0]);
  r->outside++;
}

/* A quad whose diagonal goes from the inside to the next point outside. */
static void step_forward(struct rows *r) {
  stitch_triangle(r->s, r->inside[0], r->outside[0], r->outside[1]);
  stitch_triangle(r->s, r->inside[0], r->outside[1], r->inside[1]);
  r->inside++;
  r->outside++;
}

/* One whose diagonal goes from the outside to the next point inside. */
static void step_backward(struct rows *r) {
  stitch_triangle(r->s, r->outside[0], r->inside[1], r->inside[0]);
  stitch_triangle(r->s, r->outside[0], r->outside[1], r->inside[1]);
  r->inside++;
  r->outside++;
}

/* Fills in the order in which the points of half an edge appear while its level rises, by their places at the highest
 * level: a new point splits the segment behind the one that the number without its highest bit says. */
static void find_order(uint8_t order[MOST_HALF + 1]) {
  order[0] = 0;
  for (unsigned n = 1, top = 1; n <= MOST_HALF; n++) {
    top = n >= 2 * top ? 2 * top : top;
    const unsigned place = 2 * (n - top) + 1;
    for (unsigned k = n; k > place; k--)
      order[k] = order[k - 1];
    order[place] = (uint8_t)n;
  }
}

/* The triangles in the middle, where a row has no point there. */
static void step_middle(struct rows *r, bool inside_odd, bool outside_odd) {
  if (inside_odd && outside_odd) {
    step_inside(r);
    stitch_triangle(r->s, r->inside[0], r->outside[0], r->outside[1]);
    r->outside++;
  } else if (outside_odd) {
    stitch_triangle(r->s, r->inside[0], r->outside[0], r->outside[1]);
    r->outside++;
  } else if (inside_odd)
    step_inside(r);
}

void stitch_transition(struct stitch *s, const uint32_t *inside, const struct division *inner, const uint32_t *outside,
                       const struct division *outer) {
  const uint32_t in_half = inner->half - inner->odd, out_half = outer->half - outer->odd;
  struct rows r = {s, inside, outside};
  uint8_t order[MOST_HALF + 1];
  find_order(order);
  for (int i = 0; i <= MOST_HALF; i++) {
    if (i > 0 && order[i] < in_half)
      step_inside(&r);
    if (order[i] < out_half)
      step_outside(&r);
  }
  step_middle(&r, inner->odd, outer->odd);
  for (int i = MOST_HALF; i >= 0; i--) {
    if (order[i] < out_half)
      step_outside(&r);
    if (i > 0 && order[i] < in_half)
      step_inside(&r);
  }
}

void stitch_rings(struct stitch *s, const uint32_t *inside, uint32_t count, const uint32_t *outside) {
  struct rows r = {s, inside, outside};
  step_outside(&r);
  for (uint32_t k = 0; k + 1 < count; k++)
    if (k < count / 2)
      step_backward(&r);
    else
      step_forward(&r);
  step_outside(&r);
}

void stitch_rows(struct stitch *s, const uint32_t *inside, uint32_t count, const uint32_t *outside, bool turned) {
  struct rows r = {s, inside, outside};
  for (uint32_t k = 0; k + 1 < count; k++)
    if (turned && k + 1 == count / 2)
      step_backward(&r);
    else if (turned) {
      step_outside(&r);
      step_inside(&r);
    } else
      step_forward(&r);
}
