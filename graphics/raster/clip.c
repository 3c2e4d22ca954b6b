#include "graphics/raster/clip.h"

#define LEAST_W 1e-6
/* Pixels outside of the viewport are left out by the scissor; clipping far outside keeps fixed-point numbers small. */
#define GUARD_BAND 16.0

enum { NEAR_PLANE = 5, FAR_PLANE = 6, FIRST_OF_SHADER = 7 };

static double distance(const struct clip_corner *c, unsigned plane) {
  const double *p = c->position;
  switch (plane) {
  case 0:
    return p[3] - LEAST_W;
  case 1:
    return GUARD_BAND * p[3] - p[0];
  case 2:
    return GUARD_BAND * p[3] + p[0];
  case 3:
    return GUARD_BAND * p[3] - p[1];
  case 4:
    return GUARD_BAND * p[3] + p[1];
  case NEAR_PLANE:
    return p[2];
  case FAR_PLANE:
    return p[3] - p[2];
  default:
    return c->distances[plane - FIRST_OF_SHADER];
  }
}

static struct clip_corner between(const struct clip_corner *a, const struct clip_corner *b, double share) {
  struct clip_corner c;
  for (int i = 0; i < 4; i++)
    c.position[i] = a->position[i] + (b->position[i] - a->position[i]) * share;
  for (int i = 0; i < 3; i++)
    c.weights[i] = a->weights[i] + (b->weights[i] - a->weights[i]) * share;
  for (int i = 0; i < RASTER_MOST_DISTANCES; i++)
    c.distances[i] = a->distances[i] + (b->distances[i] - a->distances[i]) * share;
  return c;
}

/* Cuts off what lies behind one plane. */
static bool cut(struct clip_corner *corners, unsigned *count, unsigned plane) {
  struct clip_corner kept[CLIP_MOST_CORNERS];
  unsigned kept_count = 0;
  bool any = false;
  for (unsigned i = 0; i < *count; i++) {
    const struct clip_corner *a = &corners[i], *b = &corners[(i + 1) % *count];
    const double da = distance(a, plane), db = distance(b, plane);
    if (da >= 0 && kept_count < CLIP_MOST_CORNERS)
      kept[kept_count++] = *a;
    any = any || !(da >= 0);
    if ((da >= 0) != (db >= 0) && kept_count < CLIP_MOST_CORNERS)
      kept[kept_count++] = between(a, b, da / (da - db));
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
  for (unsigned plane = 0; plane < planes(s) && *count > 0; plane++)
    any = (!is_off(s, plane) && cut(corners, count, plane)) || any;
  if (*count < 3)
    *count = 0;
  return any;
}

bool clip_line(struct clip_corner ends[2], bool *left, const struct raster_state *s) {
  bool any = false;
  *left = true;
  for (unsigned plane = 0; plane < planes(s) && *left; plane++) {
    if (is_off(s, plane))
      continue;
    const double a = distance(&ends[0], plane), b = distance(&ends[1], plane);
    *left = a >= 0 || b >= 0;
    any = any || !(a >= 0 && b >= 0);
    if (*left && (a >= 0) != (b >= 0))
      ends[a >= 0] = between(&ends[0], &ends[1], a / (a - b));
  }
  return any;
}

bool clip_keeps(const struct clip_corner *point, const struct raster_state *s) {
  for (unsigned plane = 0; plane < planes(s); plane++)
    if (!is_off(s, plane) && !(distance(point, plane) >= 0))
      return false;
  return true;
}
