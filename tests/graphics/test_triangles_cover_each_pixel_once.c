/* Triangles that share edges cover each pixel, and each of its samples, once: a fan of random triangles around a random
 * point fills its square. */
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

static void a_fan_fills_all_samples(void **unused) {
  static const uint32_t numbers[] = {2, 4, 8, 16};
  struct random_state random = {8};
  for (int round = 0; round < 4 * 20; round++) {
    struct raster_state s = state;
    struct raster r = {0};
    unsigned char counts[SIDE][SIDE][16] = {{{0}}};
    struct raster_vertex positions[3] = {0};
    s.samples = numbers[round % 4];
    place(&positions[0], 9 + 46 * random_unit(&random), 9 + 46 * random_unit(&random));
    for (int i = 0; i < CORNERS; i++) {
      on_border(&positions[1], (double)i / CORNERS);
      on_border(&positions[2], i + 1 < CORNERS ? (double)(i + 1) / CORNERS : 0);
      assert_true(raster_triangle(&r, &s, (const uint32_t[]){0, 1, 2}, 0, positions));
    }
    for (size_t q = 0; q < r.quad_count; q++)
      for (int i = 0; i < 4; i++) {
        assert_int_equal(r.quads[q].samples[i] != 0, r.quads[q].coverage >> i & 1);
        for (uint32_t k = 0; k < s.samples; k++)
          counts[r.quads[q].y + (i >> 1)][r.quads[q].x + (i & 1)][k] += r.quads[q].samples[i] >> k & 1;
      }
    for (int at = 0; at < SIDE * SIDE * 16; at++) {
      const int x = at / 16 % SIDE, y = at / 16 / SIDE;
      assert_int_equal(counts[y][x][at % 16], (uint32_t)(at % 16) < s.samples && x >= 8 && x < 56 && y >= 8 && y < 56);
    }
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

/* As llvmpipe does it: a corner far outside would put the edges elsewhere, by a part of a sub-pixel. */
static void corners_lie_in_the_viewport(void **unused) {
  struct random_state random = {9};
  for (int round = 0; round < ROUNDS; round++) {
    struct raster r = {0};
    struct raster_vertex positions[3] = {0};
    for (int k = 0; k < 3; k++)
      place(&positions[k], 5.0 * SIDE * (random_unit(&random) - 0.5), 5.0 * SIDE * (random_unit(&random) - 0.5));
    assert_true(raster_triangle(&r, &state, (const uint32_t[]){0, 1, 2}, 0, positions));
    for (size_t t = 0; t < r.triangle_count; t++)
      for (int c = 0; c < 3; c++) {
        assert_in_range(r.triangles[t].fixed_x[c] + 128, 0, SIDE * 256);
        assert_in_range(r.triangles[t].fixed_y[c] + 128, 0, SIDE * 256);
      }
    raster_clear(&r);
  }
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

/* The depth of the place where an edge leaves the right side, in floats and from the end that is nearer to the side. */
static double depth_at_side(const float inside[4], const float outside[4]) {
  const float in = inside[3] - inside[0], out = outside[3] - outside[0];
  const float *from = -out < in ? outside : inside, *to = -out < in ? inside : outside;
  const float share = -out < in ? out / (out - in) : in / (in - out);
  const float z = from[2] + share * (to[2] - from[2]), w = from[3] + share * (to[3] - from[3]);
  return (double)(z * (1 / w));
}

static bool has_depth(const struct raster *r, double z) {
  for (size_t t = 0; t < r->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      if (r->triangles[t].z[i] == z)
        return true;
  return false;
}

/* A triangle that ends behind the eye is cut at the sides alone: a cut in front of the eye before would round twice. */
static void a_corner_behind_the_eye_is_cut_at_the_side(void **unused) {
  struct random_state random = {9};
  for (int round = 0; round < ROUNDS; round++) {
    struct raster r = {0};
    struct raster_vertex v[3] = {0};
    for (int i = 0; i < 2; i++) {
      place(&v[i], 24 + 16 * random_unit(&random), i ? 44 + 4 * random_unit(&random) : 16 + 4 * random_unit(&random));
      v[i].position[2] = (float)(0.2 + 0.1 * random_unit(&random));
    }
    v[2].position[0] = (float)(4 + random_unit(&random));
    v[2].position[2] = (float)(0.3 * random_unit(&random));
    v[2].position[3] = (float)(-1 - random_unit(&random));
    assert_true(raster_triangle(&r, &state, (const uint32_t[]){0, 1, 2}, 0, v));
    assert_int_equal(r.counts.clipped, 1);
    assert_true(has_depth(&r, depth_at_side(v[0].position, v[2].position)));
    assert_true(has_depth(&r, depth_at_side(v[1].position, v[2].position)));
    raster_clear(&r);
  }
  (void)unused;
}

/* A triangle of neverball, of which a plane of the shader leaves a sliver: its corners turn one way in floats and the
 * other way in sub-pixels. lavapipe draws none of its pixels if it culls back faces. */
static void a_sliver_is_culled_before_rounding(void **unused) {
  struct raster_vertex v[3] = {{.position = {2.72200394f, -4.71097565f, 7.15240383f, 7.25100708f}},
                               {.position = {7.62558746f, 2.01601982f, 9.57871628f, 9.6768465f}},
                               {.position = {7.54514885f, 1.90743828f, 9.69901657f, 9.797122f}}};
  struct raster_state s = {.viewport = {0, 600, 800, -600, 0, 1},
                           .right = 800,
                           .bottom = 600,
                           .clockwise_is_front = true,
                           .last_provokes = true,
                           .distances = 1,
                           .most_quads = 16};
  struct raster r = {0};
  v[0].distances[0] = 0.000112518871f; /* of the edge to the second vertex, the shares that lie outside */
  v[1].distances[0] = -1;
  v[2].distances[0] = 7.2946556e-05f;
  for (s.cull = 0; s.cull < 3; s.cull += 2) {
    assert_true(raster_triangle(&r, &s, (const uint32_t[]){0, 1, 2}, 2, v));
    assert_int_equal(r.counts.clipped, 1);
    assert_int_equal(r.quad_count, s.cull ? 0 : 1);
    raster_clear(&r);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fan_fills_its_square),
                                     cmocka_unit_test(a_fan_fills_all_samples),
                                     cmocka_unit_test(clipping_keeps_what_is_in_front),
                                     cmocka_unit_test(culling_looks_at_the_turn),
                                     cmocka_unit_test(corners_lie_in_the_viewport),
                                     cmocka_unit_test(a_corner_behind_the_eye_is_cut_at_the_side),
                                     cmocka_unit_test(a_sliver_is_culled_before_rounding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
