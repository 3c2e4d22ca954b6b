#include "graphics/drawn/quad_follow.h"

#include <stdbool.h>

enum { SUBPIXELS = 256, FARTHEST = 1 << 28 /* of a corner: the products below fit into 64 bits */ };

/* Edge functions of a triangle (at least `least` inside), and the pixels around it. */
struct outline {
  int64_t x[3], y[3], dx[3], dy[3], least[3];
  int left, top, right, bottom; /* quads begin at even pixels; right and bottom: the end */
};

/* The pixels that are at most half a pixel from the least and the most of a coordinate. */
static void range_of(const int32_t v[3], uint32_t size, int *first, int *end) {
  const int32_t a = v[0] < v[1] ? v[0] : v[1], b = v[0] < v[1] ? v[1] : v[0];
  const int32_t least = ((v[2] < a ? v[2] : a) - SUBPIXELS / 2) >> 8;
  const int32_t most = (((v[2] > b ? v[2] : b) + SUBPIXELS / 2) >> 8) + 1;
  *first = (least < 0 ? 0 : least) & ~1;
  *end = most < (int32_t)size ? most : (int32_t)size;
}

/* False: a corner is too far away. */
static bool find_outline(const struct quad_file *f, const struct quad_triangle *t, struct outline *o) {
  for (int i = 0; i < 3; i++)
    if (t->x[i] < -FARTHEST || t->x[i] > FARTHEST || t->y[i] < -FARTHEST || t->y[i] > FARTHEST)
      return false;
  const int64_t area = ((int64_t)t->x[1] - t->x[0]) * ((int64_t)t->y[2] - t->y[0]) -
                       ((int64_t)t->x[2] - t->x[0]) * ((int64_t)t->y[1] - t->y[0]);
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3, a = area < 0 ? next : i, b = area < 0 ? i : next;
    o->x[i] = t->x[a];
    o->y[i] = t->y[a];
    o->dx[i] = (int64_t)t->x[b] - t->x[a];
    o->dy[i] = (int64_t)t->y[b] - t->y[a];
    o->least[i] = o->dy[i] < 0 || (o->dy[i] == 0 && o->dx[i] > 0) ? 0 : 1;
  }
  range_of(t->x, f->width, &o->left, &o->right);
  range_of(t->y, f->height, &o->top, &o->bottom);
  return true;
}

static bool covers(const struct outline *o, int x, int y) {
  for (int i = 0; i < 3; i++)
    if (o->dx[i] * ((int64_t)y * SUBPIXELS - o->y[i]) - o->dy[i] * ((int64_t)x * SUBPIXELS - o->x[i]) < o->least[i])
      return false;
  return true;
}

/* Returns the covered pixels of a quad that lie within the targets. */
static uint8_t coverage_of(const struct quad_file *f, const struct outline *o, int x, int y) {
  unsigned coverage = 0;
  for (int i = 0; i < 4; i++) {
    const int at_x = x + (i & 1), at_y = y + (i >> 1);
    if (at_x < (int)f->width && at_y < (int)f->height && covers(o, at_x, at_y))
      coverage |= 1u << i;
  }
  return (uint8_t)coverage;
}

/* Finds the first covered quad from (x, y) on. */
static bool find_in_triangle(struct quad_follow *follow, const struct outline *o, int x, int y, struct quad *out) {
  for (; y < o->bottom; y += 2, x = o->left)
    for (; x < o->right; x += 2) {
      if (follow->steps == 0)
        return false;
      follow->steps--;
      out->coverage = coverage_of(follow->file, o, x, y);
      out->x = (int16_t)x;
      out->y = (int16_t)y;
      if (out->coverage)
        return true;
    }
  return false;
}

struct quad quad_follow_next(struct quad_follow *follow, const struct quad *before) {
  const struct quad_file *f = follow->file;
  struct outline o;
  bool begun = before != NULL;
  for (uint32_t t = before ? before->triangle : 0; t < f->triangle_count && follow->steps > 0; t++, begun = false) {
    struct quad next = {.triangle = t};
    follow->steps--;
    if (!find_outline(f, &f->triangles[t], &o))
      continue;
    const int x = begun ? before->x + 2 : o.left, y = begun ? before->y : o.top;
    if (find_in_triangle(follow, &o, x < o.left ? o.left : x, y < o.top ? o.top : y, &next))
      return next;
  }
  return (struct quad){.coverage = 0};
}
