#include "graphics/execute/primitives/tessellator.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/* Numbers with 16 digits behind the point. */
#define ONE        UINT32_C(0x10000)
#define HALF       UINT32_C(0x8000)
#define THIRD      UINT32_C(0x5555)
#define TWO_THIRDS (2 * THIRD)

#define MOST_LEVEL 64
#define LEAST_STEP (1.0f / 65536)
#define RING_ROOM  (4 * MOST_LEVEL + 1)

static uint32_t whole_below(uint32_t number) {
  return number / ONE;
}

static uint32_t whole_above(uint32_t number) {
  return (number + ONE - 1) / ONE;
}

static uint32_t highest_bit(uint32_t number) {
  uint32_t bit = 1;
  while (2 * bit <= number)
    bit *= 2;
  return bit;
}

/* 1 / number, rounded. */
static uint32_t segment_of(uint32_t segments) {
  return segments ? (2 * ONE / segments + 1) / 2 : 0;
}

/* Divides an edge of this level. Half an edge has `half` segments; as the level rises to the next one, one of them
 * becomes two. */
static struct division divide(uint32_t level, bool odd) {
  const uint32_t half = (level + 1) / 2 + (odd || level == ONE ? HALF : 0);
  const uint32_t coarse = whole_below(half), fine = whole_above(half), number = odd ? coarse - 1 : coarse;
  struct division d = {.odd = odd, .half = fine, .fraction = half % ONE, .split = fine + 1};
  d.points = odd ? 2 * fine : 2 * fine + 1;
  if (coarse != fine)
    d.split = number == 0 ? 0 : 2 * (number - highest_bit(number)) + 1;
  d.coarse_segment = segment_of(2 * coarse - odd);
  d.fine_segment = segment_of(2 * fine - odd);
  return d;
}

/* The place of a point on its edge, from 0 to ONE. */
static uint32_t place_of(const struct division *d, uint32_t point) {
  const bool mirrored = point >= d->half;
  point = mirrored ? 2 * d->half - d->odd - point : point;
  if (point == d->half)
    return HALF;
  const uint32_t coarse = (point - (point > d->split)) * d->coarse_segment, fine = point * d->fine_segment;
  const uint32_t place = (coarse * (ONE - d->fraction) + fine * d->fraction + HALF) / ONE;
  return mirrored ? ONE - place : place;
}

/* A patch that is divided. */
struct patch {
  const struct tessellator *how;
  struct tessellated *out;
  struct stitch stitch;
  uint32_t edges;           /* 3 or 4 */
  struct division outer[4]; /* by edge: of the outermost ring */
  struct division inner[2]; /* along u and v */
};

/* Points around a patch, the first of them again at the end. Edge 0 goes down at u = 0, edge 1 right at v = 0, and the
 * others on to the beginning. */
struct ring {
  uint32_t points[RING_ROOM + 1];
  uint32_t count;
  uint32_t first[4], length[4]; /* of its edges: places in `points`, and how many points, both ends included */
};

static uint32_t add_point(struct patch *p, uint32_t u, uint32_t v) {
  struct tessellated *out = p->out;
  if (p->stitch.failed || !array_room_for_one(&out->places, out->place_count, sizeof *out->places)) {
    p->stitch.failed = true;
    return 0;
  }
  out->places[out->place_count][0] = (float)u / (float)ONE;
  out->places[out->place_count][1] = (float)v / (float)ONE;
  return (uint32_t)out->place_count++;
}

/* Returns the division of the rings inside, along an edge. */
static const struct division *along(const struct patch *p, uint32_t edge) {
  return p->edges == 3 || edge % 2 ? &p->inner[0] : &p->inner[1];
}

static const struct division *across(const struct patch *p, uint32_t edge) {
  return p->edges == 3 || edge % 2 == 0 ? &p->inner[0] : &p->inner[1];
}

/* How far the edge of a ring lies inside: of a triangle as a share of its height, two thirds of which lie at its
 * centre. */
static uint32_t distance_of(const struct patch *p, uint32_t edge, uint32_t ring) {
  const uint32_t place = ring ? place_of(across(p, edge), ring) : 0;
  if (p->edges == 3)
    return (place * TWO_THIRDS + HALF) / ONE;
  return edge < 2 ? place : ONE - place;
}

static uint32_t add_ring_point(struct patch *p, uint32_t edge, uint32_t distance, uint32_t place) {
  if (p->edges == 4)
    return edge % 2 ? add_point(p, place, distance) : add_point(p, distance, place);
  const uint32_t shifted = place - (distance + 1) / 2;
  return edge == 0   ? add_point(p, distance, shifted)
         : edge == 1 ? add_point(p, shifted, distance)
                     : add_point(p, shifted, ONE - shifted - distance);
}

static void make_ring(struct patch *p, uint32_t number, struct ring *r) {
  r->count = 0;
  for (uint32_t edge = 0; edge < p->edges; edge++) {
    const struct division *d = number ? along(p, edge) : &p->outer[edge];
    const uint32_t last = d->points - 1 - number, distance = distance_of(p, edge, number);
    const bool rises = edge == 1 || (edge == 2 && p->edges == 4);
    r->first[edge] = r->count;
    r->length[edge] = last - number + 1;
    for (uint32_t k = number; k < last; k++)
      r->points[r->count++] = add_ring_point(p, edge, distance, place_of(d, rises ? k : last - (k - number)));
  }
  r->points[r->count] = r->points[0];
}

/* The axis along which the innermost ring has no width, or a width of one segment. */
static unsigned narrow_axis(const struct patch *p) {
  return p->edges == 4 && p->inner[0].points > p->inner[1].points ? 1 : 0;
}

/* The innermost ring of even divisions is a row of points, there and back; of a triangle one point. */
static void make_row(struct patch *p, uint32_t number, struct ring *r) {
  const unsigned narrow = narrow_axis(p);
  const struct division *d = p->edges == 3 ? &p->inner[0] : &p->inner[1 - narrow];
  const uint32_t length = p->edges == 3 ? 1 : d->points - 2 * number;
  for (uint32_t k = 0; k < length; k++)
    r->points[k] = p->edges == 3 ? add_point(p, THIRD, THIRD)
                   : narrow == 0 ? add_point(p, HALF, place_of(d, number + length - 1 - k))
                                 : add_point(p, place_of(d, number + k), HALF);
  for (uint32_t k = 1; k < length; k++)
    r->points[length - 1 + k] = r->points[length - 1 - k];
  r->count = 0;
  for (uint32_t edge = 0; edge < p->edges; edge++) {
    r->first[edge] = r->count;
    r->length[edge] = edge % 2 == narrow ? length : 1;
    r->count += r->length[edge] - 1;
  }
}

static void stitch_edges(struct patch *p, uint32_t number, const struct ring *inside, const struct ring *outside) {
  for (uint32_t edge = 0; edge < p->edges; edge++) {
    const uint32_t *in = inside->points + inside->first[edge], *out = outside->points + outside->first[edge];
    if (number == 1)
      stitch_transition(&p->stitch, in, along(p, edge), out, &p->outer[edge]);
    else
      stitch_rings(&p->stitch, in, inside->length[edge], out);
  }
}

/* The innermost ring of odd divisions is a triangle, or two rows of points that lie side by side. */
static void stitch_innermost(struct patch *p, const struct ring *r) {
  const unsigned narrow = narrow_axis(p);
  const uint32_t length = r->length[narrow], first = narrow;
  uint32_t back[RING_ROOM];
  if (p->edges == 3) {
    stitch_triangle(&p->stitch, r->points[0], r->points[1], r->points[2]);
    return;
  }
  for (uint32_t k = 0; k < length; k++)
    back[k] = r->points[2 * length - 1 + first - k];
  stitch_rows(&p->stitch, back, length, r->points + first, narrow == 0 && p->inner[1].odd);
}

static void divide_patch(struct patch *p) {
  struct ring rings[2];
  const struct division *narrow = &p->inner[narrow_axis(p)];
  const uint32_t count = (narrow->points + 1) / 2;
  make_ring(p, 0, &rings[0]);
  for (uint32_t k = 1; k < count; k++) {
    if (k + 1 == count && !narrow->odd)
      make_row(p, k, &rings[k % 2]);
    else
      make_ring(p, k, &rings[k % 2]);
    stitch_edges(p, k, &rings[k % 2], &rings[(k - 1) % 2]);
  }
  if (narrow->odd)
    stitch_innermost(p, &rings[(count - 1) % 2]);
}

static void divide_least(struct patch *p) {
  uint32_t c[4];
  if (p->edges == 3) {
    c[0] = add_point(p, 0, ONE);
    c[1] = add_point(p, 0, 0);
    c[2] = add_point(p, ONE, 0);
    stitch_triangle(&p->stitch, c[0], c[1], c[2]);
    return;
  }
  for (unsigned k = 0; k < 4; k++)
    c[k] = add_point(p, k == 1 || k == 2 ? ONE : 0, k >= 2 ? ONE : 0);
  stitch_triangle(&p->stitch, c[0], c[1], c[3]);
  stitch_triangle(&p->stitch, c[1], c[2], c[3]);
}

/* Returns a level within the bounds of its spacing, which is `least` for one that is no number. */
static uint32_t bounded(float level, enum tessellator_spacing spacing, float least) {
  const float most = spacing == SPACING_FRACTIONAL_ODD ? MOST_LEVEL - 1 : MOST_LEVEL;
  const float low = spacing == SPACING_FRACTIONAL_EVEN ? 2 : least, high = fminf(most, fmaxf(low, level));
  return (uint32_t)lrint((double)(spacing == SPACING_EQUAL ? ceilf(high) : high) * ONE);
}

static bool is_odd(uint32_t level, enum tessellator_spacing spacing) {
  return spacing == SPACING_EQUAL ? level / ONE % 2 : spacing == SPACING_FRACTIONAL_ODD;
}

/* Returns whether the patch is divided, and not left as it is. */
static bool find_divisions(struct patch *p, const struct tessellation_levels *l) {
  const enum tessellator_spacing spacing = p->how->spacing;
  const uint32_t axes = p->edges == 4 ? 2 : 1;
  uint32_t outer[4], inner[2] = {ONE, ONE};
  bool divides = false;
  for (uint32_t edge = 0; edge < p->edges; edge++) {
    outer[edge] = bounded(l->outer[edge], spacing, 1);
    divides = divides || outer[edge] > ONE;
  }
  for (uint32_t axis = 0; axis < axes; axis++)
    divides = divides || bounded(l->inner[axis], spacing, 1) > ONE;
  const float least = divides && spacing == SPACING_FRACTIONAL_ODD ? 1 + LEAST_STEP : 1;
  for (uint32_t axis = 0; axis < axes; axis++)
    inner[axis] = bounded(l->inner[axis], spacing, least);
  for (uint32_t edge = 0; edge < p->edges; edge++)
    p->outer[edge] = divide(outer[edge], is_odd(outer[edge], spacing));
  for (uint32_t axis = 0; axis < 2; axis++) /* a level of 1 inside has a point in the middle */
    p->inner[axis] = divide(inner[axis], is_odd(inner[axis], spacing) && inner[axis] > ONE);
  return divides;
}

static void divide_isolines(struct patch *p, const struct tessellation_levels *l) {
  const uint32_t lines = bounded(l->outer[0], SPACING_EQUAL, 1), detail = bounded(l->outer[1], p->how->spacing, 1);
  const struct division rows = divide(lines, is_odd(lines, SPACING_EQUAL));
  const struct division points = divide(detail, is_odd(detail, p->how->spacing));
  for (uint32_t row = 0; row < lines / ONE; row++)
    for (uint32_t k = 0; k < points.points; k++) {
      const uint32_t point = add_point(p, place_of(&points, k), place_of(&rows, row));
      if (k > 0)
        stitch_line(&p->stitch, point - 1, point);
    }
}

static void make_points(struct patch *p, size_t first) {
  for (size_t k = first; k < p->out->place_count; k++)
    stitch_point(&p->stitch, (uint32_t)k);
}

bool tessellate(const struct tessellator *how, const struct tessellation_levels *l, struct tessellated *out) {
  struct patch p = {.how = how, .out = out, .stitch = {how, out, false}, .edges = how->domain == DOMAIN_QUADS ? 4 : 3};
  const uint32_t used = how->domain == DOMAIN_ISOLINES ? 2 : p.edges;
  const size_t first = out->place_count;
  for (uint32_t k = 0; k < used; k++)
    if (!(l->outer[k] > 0))
      return true;
  if (how->domain == DOMAIN_ISOLINES)
    divide_isolines(&p, l);
  else if (find_divisions(&p, l))
    divide_patch(&p);
  else
    divide_least(&p);
  if (how->makes_points)
    make_points(&p, first);
  return !p.stitch.failed;
}

void tessellated_clear(struct tessellated *t) {
  free(t->places);
  free(t->corners);
  *t = (struct tessellated){0};
}
