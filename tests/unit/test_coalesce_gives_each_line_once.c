/* One transaction per distinct line, ascending; without coalescing one per work-item and line; the affine short cut
 * equals looking at every lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/warp/coalesce.h"

static uint32_t lines_of(uint32_t line_bytes, uint32_t count, uint32_t bytes, uint64_t first, int64_t stride,
                         uint32_t *lines) {
  struct line_size size = line_size_make(line_bytes);
  struct lane_addresses lanes = {.bytes = bytes, .count = count, .affine = true, .first = first, .stride = stride};
  return coalesce_lines(&size, &lanes, lines);
}

static void test_neighbours_share_a_line(void **state) {
  (void)state;
  uint32_t lines[64];
  assert_int_equal(lines_of(64, 4, 4, 128, 4, lines), 1);
  assert_int_equal(lines[0], 2);
}

static void test_same_address_is_one_line(void **state) {
  (void)state;
  uint32_t lines[64];
  assert_int_equal(lines_of(64, 16, 4, 60, 0, lines), 1);
}

static void test_unaligned_neighbours_need_two_lines(void **state) {
  (void)state;
  uint32_t lines[64];
  assert_int_equal(lines_of(64, 4, 4, 56, 4, lines), 2);
  assert_int_equal(lines[0], 0);
  assert_int_equal(lines[1], 1);
}

static void test_far_lanes_need_a_line_each(void **state) {
  (void)state;
  uint32_t lines[64];
  assert_int_equal(lines_of(64, 4, 4, 0, 2048, lines), 4);
  assert_int_equal(lines[3], 96);
}

static void test_float16_is_a_line_each(void **state) {
  (void)state;
  uint32_t lines[64];
  assert_int_equal(lines_of(64, 4, 64, 0, 64, lines), 4);
}

static void test_off_is_one_per_lane(void **state) {
  (void)state;
  uint32_t lines[64];
  struct line_size size = line_size_make(64);
  struct lane_addresses lanes = {.bytes = 4, .count = 4, .affine = true, .first = 60, .stride = 4};
  assert_int_equal(coalesce_off_lines(&size, &lanes, lines), 4);
  assert_int_equal(lines[0], 0);
  assert_int_equal(lines[3], 1);
}

static void check_affine(struct random_state *r) {
  static const uint32_t sizes[] = {4, 32, 64, 96, 128};
  struct line_size size = line_size_make(sizes[random_below(r, 5)]);
  struct lane_addresses affine = {.bytes = 1 + random_below(r, 80), .count = 1 + random_below(r, 64), .affine = true};
  affine.first = 1000000 + random_below(r, 1000);
  affine.stride = (int64_t)random_below(r, random_below(r, 2) ? 40 : 600) - 200;
  struct lane_addresses listed = affine;
  listed.affine = false;
  for (uint32_t i = 0; i < listed.count; i++)
    listed.address[i] = affine.first + (uint64_t)(affine.stride * i);
  static uint32_t a[64 * 32], b[64 * 32];
  assert_true(coalesce_capacity(&size, 64, 80) <= 64 * 32);
  uint32_t n = coalesce_lines(&size, &affine, a);
  assert_int_equal(n, coalesce_lines(&size, &listed, b));
  assert_true(n <= coalesce_capacity(&size, affine.count, affine.bytes));
  assert_memory_equal(a, b, n * sizeof *a);
  for (uint32_t i = 1; i < n; i++)
    assert_true(a[i - 1] < a[i]);
}

static void test_affine_equals_lane_by_lane(void **state) {
  (void)state;
  struct random_state r = {11};
  for (int i = 0; i < 20000; i++)
    check_affine(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours_share_a_line),
                                     cmocka_unit_test(test_same_address_is_one_line),
                                     cmocka_unit_test(test_unaligned_neighbours_need_two_lines),
                                     cmocka_unit_test(test_far_lanes_need_a_line_each),
                                     cmocka_unit_test(test_float16_is_a_line_each),
                                     cmocka_unit_test(test_off_is_one_per_lane),
                                     cmocka_unit_test(test_affine_equals_lane_by_lane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
