/* Lines in the manner of Bresenham cover the pixels whose diamonds they leave: beside a reference that asks each pixel.
 * Rectangles of lines, and points, cover the centres that lie in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "graphics/raster/triangles.h"

enum { SIDE = 48, ROUNDS = 3000 };

static struct raster_state state_of(bool bresenham, float width) {
  return (struct raster_state){.viewport = {0, 0, SIDE, SIDE, 0, 1},
                               .right = SIDE,
                               .bottom = SIDE,
                               .most_quads = 1 << 20,
                               .bresenham = bresenham,
                               .line_width = width};
}

/* Coordinates of 1/256 pixels, which set-up keeps. */
static void place(struct raster_vertex *v, const double at[2]) {
  v->position[0] = (float)(2 * at[0] / SIDE - 1);
  v->position[1] = (float)(2 * at[1] / SIDE - 1);
  v->position[2] = 0.5f;
  v->position[3] = 1;
}

static double coordinate(struct random_state *random) {
  return floor(256 * (2 + (SIDE - 4) * random_unit(random))) / 256;
}

static void mark(const struct raster *r, unsigned char marks[SIDE][SIDE]) {
  memset(marks, 0, SIDE * SIDE);
  for (size_t q = 0; q < r->quad_count; q++)
    for (int i = 0; i < 4; i++)
      if (r->quads[q].coverage & 1 << i)
        marks[r->quads[q].y + (i >> 1)][r->quads[q].x + (i & 1)]++;
}

/* Returns 1 if the line from a to b leaves the diamond around the centre of pixel (x, y), 0 if not, and -1 if rounding
 * decides: it touches a corner or an edge. */
static int leaves(const double a[2], const double b[2], int x, int y) {
  const double from[2] = {a[0] - x - 0.5, a[1] - y - 0.5}, way[2] = {b[0] - a[0], b[1] - a[1]};
  double begin = 0, end = 1;
  for (int side = 0; side < 4; side++) { /* of the diamond: sx * x + sy * y < 1/2 */
    const double sx = side & 1 ? 1 : -1, sy = side & 2 ? 1 : -1;
    const double room = 0.5 - sx * from[0] - sy * from[1], speed = sx * way[0] + sy * way[1];
    if (speed == 0 && fabs(room) < 1e-2)
      return -1;
    if (speed == 0 && room < 0)
      return 0;
    if (speed > 0)
      end = fmin(end, room / speed);
    if (speed < 0)
      begin = fmax(begin, room / speed);
  }
  const double close = 0.02 / hypot(way[0], way[1]);
  if (fabs(end - begin) < close || (begin < end && fabs(end - 1) < close))
    return -1;
  return begin < end && end < 1;
}

static bool crosses_centre(const double a[2], const double b[2], int x, int y) {
  const bool steep = fabs(b[1] - a[1]) > fabs(b[0] - a[0]);
  const double centre = (steep ? y : x) + 0.5, from = a[steep], to = b[steep];
  return (centre - from) * (centre - to) < 0;
}

static void lines_leave_their_diamonds(void **unused) {
  struct random_state random = {3};
  const struct raster_state state = state_of(true, 1);
  for (int round = 0; round < ROUNDS; round++) {
    const double a[2] = {coordinate(&random), coordinate(&random)}, b[2] = {coordinate(&random), coordinate(&random)};
    struct raster r = {0};
    unsigned char marks[SIDE][SIDE];
    struct raster_vertex positions[2] = {0};
    place(&positions[0], a);
    place(&positions[1], b);
    assert_true(raster_line(&r, &state, (const uint32_t[]){0, 1}, 0, positions));
    mark(&r, marks);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        const int expected = leaves(a, b, x, y);
        /* At its ends a line may clip a diamond without passing the centre of the column: those are left out. */
        if (expected == 0 || (expected == 1 && crosses_centre(a, b, x, y)))
          assert_int_equal(marks[y][x], expected);
      }
    raster_clear(&r);
  }
  (void)unused;
}

static void wide_lines_cover_their_rectangle(void **unused) {
  struct random_state random = {5};
  for (int round = 0; round < ROUNDS; round++) {
    const double a[2] = {coordinate(&random), coordinate(&random)}, b[2] = {coordinate(&random), coordinate(&random)};
    const double width = 1 + 4 * random_unit(&random), length = hypot(b[0] - a[0], b[1] - a[1]);
    const struct raster_state state = state_of(false, (float)width);
    struct raster r = {0};
    unsigned char marks[SIDE][SIDE];
    struct raster_vertex positions[2] = {0};
    place(&positions[0], a);
    place(&positions[1], b);
    assert_true(raster_line(&r, &state, (const uint32_t[]){0, 1}, 0, positions));
    mark(&r, marks);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        const double px = x + 0.5 - a[0], py = y + 0.5 - a[1], wx = (b[0] - a[0]) / length, wy = (b[1] - a[1]) / length;
        const double along = px * wx + py * wy, across = fabs(py * wx - px * wy);
        const double inside = fmin(fmin(along, length - along), width / 2 - across);
        if (fabs(inside) > 0.02)
          assert_int_equal(marks[y][x], inside > 0);
      }
    raster_clear(&r);
  }
  (void)unused;
}

/* A point of less than a pixel is as large as one. */
static void points_are_squares(void **unused) {
  struct random_state random = {7};
  const struct raster_state state = state_of(false, 1);
  for (int round = 0; round < ROUNDS; round++) {
    const double at[2] = {coordinate(&random), coordinate(&random)}, size = 9 * random_unit(&random),
                 side = fmax(size, 1);
    struct raster r = {0};
    unsigned char marks[SIDE][SIDE];
    struct raster_vertex position = {0};
    double shares[3];
    place(&position, at);
    assert_true(raster_point(&r, &state, 0, &position, (float)size));
    mark(&r, marks);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        const double inside = side / 2 - fmax(fabs(x + 0.5 - at[0]), fabs(y + 0.5 - at[1]));
        if (fabs(inside) > 0.01)
          assert_int_equal(marks[y][x], inside > 0);
      }
    /* The shares of the second and third corner are the place within the square, from its middle. */
    raster_screen_shares(&r.triangles[0], 10, 20, shares);
    assert_true(fabs(shares[1] - (10.5 - at[0]) / (double)(float)side) < 1e-6);
    assert_true(fabs(shares[2] - (20.5 - at[1]) / (double)(float)side) < 1e-6);
    raster_clear(&r);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_leave_their_diamonds),
                                     cmocka_unit_test(wide_lines_cover_their_rectangle),
                                     cmocka_unit_test(points_are_squares)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
