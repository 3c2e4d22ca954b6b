/* Triangles that share edges cover each pixel once: a fan of random triangles around a random point fills its square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "graphics/raster/triangles.h"

enum { SIDE = 64, ROUNDS = 200, CORNERS = 12 };

static const struct raster_state state = {
    .viewport = {0, 0, SIDE, SIDE, 0, 1}, .right = SIDE, .bottom = SIDE, .most_quads = 1 << 20};

static void place(struct raster_vertex *v, double x, double y) {
  v->position[0] = (float)(2 * x / SIDE - 1);
  v->position[1] = (float)(2 * y / SIDE - 1);
  v->position[2] = 0.5f;
  v->position[3] = 1;
}

/* Points on the border of a square, in order. */
static void on_border(struct raster_vertex *v, double at) {
  const double side = 48, low = 8;
  const int edge = (int)(at * 4);
  const double along = (at * 4 - edge) * side + low;
  if (edge == 0)
    place(v, along, low);
  else if (edge == 1)
    place(v, low + side, along);
  else if (edge == 2)
    place(v, low + low + side - along, low + side);
  else
    place(v, low, low + low + side - along);
}

static void count_pixels(const struct raster *r, unsigned char counts[SIDE][SIDE]) {
  for (size_t q = 0; q < r->quad_count; q++)
    for (int i = 0; i < 4; i++)
      if (r->quads[q].coverage & 1 << i)
        counts[r->quads[q].y + (i >> 1)][r->quads[q].x + (i & 1)]++;
}

static void a_fan_fills_its_square(void **unused) {
  struct random_state random = {7};
  for (int round = 0; round < ROUNDS; round++) {
    struct raster r = {0};
    unsigned char counts[SIDE][SIDE] = {{0}};
    struct raster_vertex positions[3] = {0};
    place(&positions[0], 9 + 46 * random_unit(&random), 9 + 46 * random_unit(&random));
    for (int i = 0; i < CORNERS; i++) {
      on_border(&positions[1], (double)i / CORNERS);
      on_border(&positions[2], i + 1 < CORNERS ? (double)(i + 1) / CORNERS : 0);
      assert_true(raster_triangle(&r, &state, (const uint32_t[]){0, 1, 2}, 0, positions));
    }
    count_pixels(&r, counts);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++)
        assert_int_equal(counts[y][x], x >= 8 && x < 56 && y >= 8 && y < 56);
    raster_clear(&r);
  }
  (void)unused;
}

/* A triangle that reaches behind the eye covers what a triangle far away with the same edges does. */
static void clipping_keeps_what_is_in_front(void **unused) {
  const struct raster_vertex positions[3] = {
      {.position = {-1, -1, 0.5f, 1}}, {.position = {1, -1, 0.5f, 1}}, {.position = {0, 3, -2, -1}}};
  struct raster r = {0};
  assert_true(raster_triangle(&r, &state, (const uint32_t[]){0, 1, 2}, 0, positions));
  assert_int_equal(r.counts.clipped, 1);
  assert_true(r.quad_count > 0);
  for (size_t t = 0; t < r.triangle_count; t++)
    for (int c = 0; c < 3; c++)
      assert_true(r.triangles[t].inverse_w[c] > 0);
  raster_clear(&r);
  (void)unused;
}

static void culling_looks_at_the_turn(void **unused) {
  const struct raster_vertex positions[3] = {
      {.position = {-1, -1, 0, 1}}, {.position = {1, -1, 0, 1}}, {.position = {0, 1, 0, 1}}};
  for (unsigned cull = 0; cull < 4; cull++)
    for (int clockwise = 0; clockwise < 2; clockwise++) {
      struct raster_state s = state;
      struct raster r = {0};
      s.cull = cull;
      s.clockwise_is_front = clockwise;
      assert_true(raster_triangle(&r, &s, (const uint32_t[]){0, 1, 2}, 0, positions));
      assert_int_equal(r.triangle_count, !(cull & (clockwise ? 1 : 2)));
      raster_clear(&r);
    }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fan_fills_its_square),
                                     cmocka_unit_test(clipping_keeps_what_is_in_front),
                                     cmocka_unit_test(culling_looks_at_the_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
