#include "graphics/raster/outline.h"

#include "graphics/frame/frame_memory.h"
#include "graphics/raster/samples.h"

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

/* x and y: in sub-pixels. */
static bool covers(const struct edges *e, int64_t x, int64_t y) {
  for (unsigned i = 0; i < e->count; i++)
    if (e->dx[i] * (y - e->y[i]) - e->dy[i] * (x - e->x[i]) < e->least[i])
      return false;
  return true;
}

/* Returns the samples of a pixel that are covered. */
static uint16_t covered_samples(const struct edges *e, const struct raster_state *s, int x, int y) {
  const uint32_t samples = s->samples ? s->samples : 1;
  const struct sample_place *places = sample_places(samples);
  uint16_t mask = 0;
  for (uint32_t k = 0; places && k < samples; k++)
    if (covers(e, (int64_t)x * RASTER_SUBPIXELS + places[k].x * (RASTER_SUBPIXELS / 16),
               (int64_t)y * RASTER_SUBPIXELS + places[k].y * (RASTER_SUBPIXELS / 16)))
      mask |= (uint16_t)(1 << k);
  return mask;
}

/* For one sample a pixel, at its centre: the edge functions at the first pixel of a row of quads, and their change
 * from pixel to pixel. */
struct edge_row {
  int64_t value[RASTER_OUTLINE_MOST_CORNERS], right[RASTER_OUTLINE_MOST_CORNERS], down[RASTER_OUTLINE_MOST_CORNERS];
};

static void begin_row(const struct edges *e, int x, int y, struct edge_row *row) {
  for (unsigned i = 0; i < e->count; i++) {
    row->right[i] = -e->dy[i] * RASTER_SUBPIXELS;
    row->down[i] = e->dx[i] * RASTER_SUBPIXELS;
    row->value[i] = e->dx[i] * ((int64_t)y * RASTER_SUBPIXELS - e->y[i]) -
                    e->dy[i] * ((int64_t)x * RASTER_SUBPIXELS - e->x[i]) - e->least[i];
  }
}

/* Returns which pixels of the quad are inside of all edges, and goes on to the next quad of the row. */
static unsigned next_in_row(const struct edges *e, struct edge_row *row) {
  int64_t outside[4] = {0};
  for (unsigned i = 0; i < e->count; i++) {
    const int64_t v = row->value[i], right = row->right[i], down = row->down[i];
    outside[0] |= v; /* the sign bit */
    outside[1] |= v + right;
    outside[2] |= v + down;
    outside[3] |= v + right + down;
    row->value[i] += 2 * right;
  }
  return (unsigned)(outside[0] >= 0) | (unsigned)(outside[1] >= 0) << 1 | (unsigned)(outside[2] >= 0) << 2 |
         (unsigned)(outside[3] >= 0) << 3;
}

/* Returns which pixels of a quad lie in the area that is drawn to. */
static unsigned pixels_in_area(const struct raster_state *s, int x, int y) {
  const unsigned columns = (x >= s->left && x < s->right ? 5u : 0u) | (x + 1 >= s->left && x + 1 < s->right ? 10u : 0u);
  const unsigned rows = (y >= s->top && y < s->bottom ? 3u : 0u) | (y + 1 >= s->top && y + 1 < s->bottom ? 12u : 0u);
  return columns & rows;
}

static void set_coverage(struct raster_quad *q, unsigned pixels) {
  q->coverage = (uint8_t)pixels;
  for (unsigned i = 0; i < 4; i++)
    q->samples[i] = (uint16_t)(pixels >> i & 1);
}

/* The slow way, for several samples a pixel. */
static void find_coverage(const struct edges *e, const struct raster_state *s, struct raster_quad *q) {
  for (int i = 0; i < 4; i++) {
    const int x = q->x + (i & 1), y = q->y + (i >> 1);
    if (x >= s->left && x < s->right && y >= s->top && y < s->bottom)
      q->samples[i] = covered_samples(e, s, x, y);
    q->coverage |= (uint8_t)((q->samples[i] != 0) << i);
  }
}

/* The range of pixels between the least and the most of a side's coordinates, within bounds. */
static void range_of(const int64_t *v, unsigned count, int32_t low, int32_t high, int *first, int *end) {
  int64_t least = v[0], most = v[0];
  for (unsigned i = 1; i < count; i++) {
    least = v[i] < least ? v[i] : least;
    most = v[i] > most ? v[i] : most;
  }
  least = (least - RASTER_SUBPIXELS / 2) >> 8; /* samples lie up to half a pixel from the centre */
  most = ((most + RASTER_SUBPIXELS / 2) >> 8) + 1;
  *first = (int)(least < low ? low : least > high ? high : least) & ~1;
  *end = (int)(most < low ? low : most > high ? high : most);
}

static bool add_quad(struct raster *r, const struct raster_state *s, const struct raster_quad *quad) {
  if (r->quad_count >= s->most_quads ||
      !frame_memory_room(&r->quads, &r->quad_room, r->quad_count + 1, sizeof *r->quads))
    return false;
  r->quads[r->quad_count++] = *quad;
  return true;
}

#define MOST_EXPECTED (UINT64_C(1) << 20) /* quads of a triangle; a sliver in a large box covers few of them */

/* Makes room for as many quads as a triangle in a box of this size may cover, so that the array grows once for a large
 * triangle: to grow copies it. */
static bool expect_quads(struct raster *r, const struct raster_state *s, int width, int height) {
  const uint64_t columns = width > 0 ? (uint64_t)width / 2 + 1 : 0, rows = height > 0 ? (uint64_t)height / 2 + 1 : 0;
  const uint64_t more = columns * rows / 2 + columns + rows;
  const uint64_t most = r->quad_count + (more < MOST_EXPECTED ? more : MOST_EXPECTED);
  return frame_memory_room(&r->quads, &r->quad_room, most < s->most_quads ? most : s->most_quads, sizeof *r->quads);
}

bool raster_outline_fill(struct raster *r, const struct raster_state *s, const struct raster_triangle *t,
                         const struct raster_outline *o) {
  const size_t before = r->quad_count;
  const struct edges e = edges_of(o);
  int left, right, top, bottom;
  range_of(o->x, o->corners, s->left, s->right, &left, &right);
  range_of(o->y, o->corners, s->top, s->bottom, &top, &bottom);
  if (!frame_memory_room(&r->triangles, &r->triangle_room, r->triangle_count + 1, sizeof *r->triangles) ||
      !expect_quads(r, s, right - left, bottom - top))
    return false;
  const bool at_centres = s->samples <= 1;
  for (int y = top; y < bottom; y += 2) {
    struct edge_row row;
    begin_row(&e, left, y, &row);
    for (int x = left; x < right; x += 2) {
      struct raster_quad quad = {.x = (int16_t)x, .y = (int16_t)y, .triangle = (uint32_t)r->triangle_count};
      const unsigned inside = at_centres ? next_in_row(&e, &row) : 0;
      if (inside)
        set_coverage(&quad, inside & pixels_in_area(s, x, y));
      else if (!at_centres)
        find_coverage(&e, s, &quad);
      if (quad.coverage && !add_quad(r, s, &quad))
        return false;
    }
  }
  r->counts.empty += r->quad_count == before;
  r->triangles[r->triangle_count++] = *t;
  return true;
}
