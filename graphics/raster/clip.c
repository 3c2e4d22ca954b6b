#include "graphics/raster/clip.h"

#include <math.h>

#define LEAST_W 1e-6
/* For points and lines that are not smooth: the scissor removes fragments outside of the viewport; clipping far outside
 * of it keeps numbers small. */
#define GUARD_BAND 16.0
/* After the planes of the sides no w is below 0, so this plane only cuts off a corner whose w is 0, by which the
 * division is impossible. For polygons it is the last plane: llvmpipe does not have it, and clipping at it before
 * the sides would change the bits of their results. */
enum { LEAST_W_PLANE = 0, NEAR_PLANE = 5, FAR_PLANE = 6, FIRST_OF_SHADER = 7 };

/* guard: the distance of its planes as a multiple of that of the viewport's sides. */
static double distance(const struct clip_corner *c, unsigned plane, double guard) {
  const double *p = c->position;
  switch (plane) {
  case LEAST_W_PLANE:
    return p[3] - LEAST_W;
  case 1:
    return guard * p[3] - p[0];
  case 2:
    return guard * p[3] + p[0];
  case 3:
    return guard * p[3] - p[1];
  case 4:
    return guard * p[3] + p[1];
  case NEAR_PLANE:
    return p[2];
  case FAR_PLANE:
    return p[3] - p[2];
  default:
    return c->distances[plane - FIRST_OF_SHADER];
  }
}

/* The corner at a share of the way from one corner to another, in floats. */
static struct clip_corner mixture(const struct clip_corner *a, const struct clip_corner *b, float share) {
  struct clip_corner c;
  for (int i = 0; i < 4; i++) {
    const float from = (float)a->position[i], to = (float)b->position[i];
    c.position[i] = (double)(from + share * (to - from));
  }
  for (int i = 0; i < 3; i++)
    c.weights[i] = a->weights[i] + (b->weights[i] - a->weights[i]) * (double)share;
  for (int i = 0; i < RASTER_MOST_DISTANCES; i++)
    c.distances[i] = a->distances[i] + (b->distances[i] - a->distances[i]) * (double)share;
  return c;
}

/* The corner where an edge leaves the plane: from the end that is nearer to the plane, as llvmpipe computes it. */
static struct clip_corner between(const struct clip_corner *outside, const struct clip_corner *inside,
                                  double outside_distance, double inside_distance) {
  const float out = (float)outside_distance, in = (float)inside_distance;
  return -out < in ? mixture(outside, inside, out / (out - in)) : mixture(inside, outside, in / (in - out));
}

/* Cuts off the part that lies behind one plane. */
static bool cut(struct clip_corner *corners, unsigned *count, unsigned plane) {
  struct clip_corner kept[CLIP_MOST_CORNERS];
  unsigned kept_count = 0;
  bool any = false;
  for (unsigned i = 0; i < *count; i++) {
    const struct clip_corner *a = &corners[i], *b = &corners[(i + 1) % *count];
    const double da = distance(a, plane, 1), db = distance(b, plane, 1);
    if (da >= 0 && kept_count < CLIP_MOST_CORNERS)
      kept[kept_count++] = *a;
    any = any || !(da >= 0);
    if ((da >= 0) != (db >= 0) && kept_count < CLIP_MOST_CORNERS)
      kept[kept_count++] = da < 0 ? between(a, b, da, db) : between(b, a, db, da);
  }
  for (unsigned i = 0; any && i < kept_count; i++)
    corners[i] = kept[i];
  *count = kept_count;
  return any;
}

static unsigned planes(const struct raster_state *s) {
  return FIRST_OF_SHADER + s->distances;
}

static bool is_off(const struct raster_state *s, unsigned plane) {
  return s->clamps_depth && (plane == NEAR_PLANE || plane == FAR_PLANE);
}

bool clip_polygon(struct clip_corner corners[CLIP_MOST_CORNERS], unsigned *count, const struct raster_state *s) {
  bool any = false;
  for (unsigned plane = 1; plane < planes(s) && *count > 0; plane++)
    any = (!is_off(s, plane) && cut(corners, count, plane)) || any;
  any = (*count > 0 && cut(corners, count, LEAST_W_PLANE)) || any;
  if (*count < 3)
    *count = 0;
  return any;
}

/* Each end moves by the largest share that a plane cuts off, as in llvmpipe (Liang and Barsky, "A new concept and
 * method for line clipping", ACM TOG 3, 1984). */
bool clip_line(struct clip_corner ends[2], bool *left, const struct raster_state *s) {
  const double guard = s->smooth ? 1 : GUARD_BAND;
  float cut_first = 0, cut_last = 0;
  for (unsigned plane = 0; plane < planes(s); plane++) {
    if (is_off(s, plane))
      continue;
    const float a = (float)distance(&ends[0], plane, guard), b = (float)distance(&ends[1], plane, guard);
    if (a < 0)
      cut_first = fmaxf(cut_first, a / (a - b));
    if (b < 0)
      cut_last = fmaxf(cut_last, b / (b - a));
  }
  const struct clip_corner first = ends[0], last = ends[1];
  *left = cut_first + cut_last < 1;
  if (cut_first > 0)
    ends[0] = mixture(&first, &last, cut_first);
  if (cut_last > 0)
    ends[1] = mixture(&last, &first, cut_last);
  return cut_first > 0 || cut_last > 0;
}

bool clip_keeps(const struct clip_corner *point, const struct raster_state *s) {
  for (unsigned plane = 0; plane < planes(s); plane++)
    if (!is_off(s, plane) && !(distance(point, plane, GUARD_BAND) >= 0))
      return false;
  return true;
}
