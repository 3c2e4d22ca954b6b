#include "graphics/raster/outline.h"

#include "base/array.h"

/* Edge functions of an outline whose area is positive: at least 0 inside, above 0 on edges that are neither top nor
 * left. */
struct edges {
  unsigned count;
  int64_t dx[RASTER_OUTLINE_MOST_CORNERS], dy[RASTER_OUTLINE_MOST_CORNERS], x[RASTER_OUTLINE_MOST_CORNERS],
      y[RASTER_OUTLINE_MOST_CORNERS], least[RASTER_OUTLINE_MOST_CORNERS];
};

/* Twice the area; the sign is that of the turn. */
static int64_t area(const struct raster_outline *o) {
  int64_t sum = 0;
  for (unsigned i = 1; i + 1 < o->corners; i++)
    sum += (o->x[i] - o->x[0]) * (o->y[i + 1] - o->y[0]) - (o->x[i + 1] - o->x[0]) * (o->y[i] - o->y[0]);
  return sum;
}

static struct edges edges_of(const struct raster_outline *o) {
  struct edges e = {.count = o->corners};
  const bool turned = area(o) < 0;
  for (unsigned i = 0; i < o->corners; i++) {
    const unsigned next = (i + 1) % o->corners, a = turned ? next : i, b = turned ? i : next;
    e.x[i] = o->x[a];
    e.y[i] = o->y[a];
    e.dx[i] = o->x[b] - o->x[a];
    e.dy[i] = o->y[b] - o->y[a];
    const bool top_left = e.dy[i] < 0 || (e.dy[i] == 0 && e.dx[i] > 0);
    e.least[i] = top_left ? 0 : 1;
  }
  return e;
}

static bool covers(const struct edges *e, int x, int y) {
  for (unsigned i = 0; i < e->count; i++)
    if (e->dx[i] * ((int64_t)y * RASTER_SUBPIXELS - e->y[i]) - e->dy[i] * ((int64_t)x * RASTER_SUBPIXELS - e->x[i]) <
        e->least[i])
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

/* The range of pixels between the least and the most of a side's coordinates, within bounds. */
static void range_of(const int64_t *v, unsigned count, int32_t low, int32_t high, int *first, int *end) {
  int64_t least = v[0], most = v[0];
  for (unsigned i = 1; i < count; i++) {
    least = v[i] < least ? v[i] : least;
    most = v[i] > most ? v[i] : most;
  }
  least >>= 8;
  most = (most >> 8) + 1;
  *first = (int)(least < low ? low : least > high ? high : least) & ~1;
  *end = (int)(most < low ? low : most > high ? high : most);
}

static bool add_quad(struct raster *r, const struct raster_state *s, int x, int y, uint8_t mask) {
  if (r->quad_count >= s->most_quads || !array_room(&r->quads, &r->quad_room, r->quad_count + 1, sizeof *r->quads))
    return false;
  r->quads[r->quad_count++] = (struct raster_quad){(int16_t)x, (int16_t)y, (uint32_t)r->triangle_count, mask, 0};
  return true;
}

bool raster_outline_fill(struct raster *r, const struct raster_state *s, const struct raster_triangle *t,
                         const struct raster_outline *o) {
  const size_t before = r->quad_count;
  const struct edges e = edges_of(o);
  int left, right, top, bottom;
  range_of(o->x, o->corners, s->left, s->right, &left, &right);
  range_of(o->y, o->corners, s->top, s->bottom, &top, &bottom);
  if (!array_room(&r->triangles, &r->triangle_room, r->triangle_count + 1, sizeof *r->triangles))
    return false;
  for (int y = top; y < bottom; y += 2)
    for (int x = left; x < right; x += 2) {
      const uint8_t mask = coverage(&e, s, x, y);
      if (mask && !add_quad(r, s, x, y, mask))
        return false;
    }
  r->counts.empty += r->quad_count == before;
  r->triangles[r->triangle_count++] = *t;
  return true;
}
