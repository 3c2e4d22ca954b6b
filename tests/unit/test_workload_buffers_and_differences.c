/* Initial contents of buffers, and what counts as a difference. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workload/half.h"
#include "workload/workload.h"

static void uniform_floats_fill_the_interval_and_repeat(void **state) {
  struct workload_buffer b = {
      .type = SCALAR_FLOAT, .count = 1000, .init = INIT_UNIFORM, .low = -1, .high = 3, .seed = 7};
  float first[1000], again[1000], least = 10, most = -10;
  workload_buffer_fill(&b, first);
  workload_buffer_fill(&b, again);
  assert_memory_equal(first, again, sizeof first);
  for (int i = 0; i < 1000; i++) {
    assert_true(first[i] >= -1 && first[i] < 3);
    least = fminf(least, first[i]);
    most = fmaxf(most, first[i]);
  }
  assert_true(least < -0.95f && most > 2.95f);
  b.seed = 8;
  workload_buffer_fill(&b, again);
  assert_memory_not_equal(first, again, sizeof first);
  (void)state;
}

static struct workload *with_seed(unsigned seed) {
  char text[512];
  struct workload *workload = NULL;
  struct error error = ERROR_INIT;
  snprintf(text, sizeof text,
           "schema: reassemble.workload/1\nname: w\nsource: w.cl\nseed: %u\nbuffers:\n"
           "  A: {type: float, count: 4, init: uniform}\n  B: {type: float, count: 4, init: uniform}\n"
           "launches:\n  - {kernel: k, global: 1, local: 1, args: [{buffer: A}, {buffer: B}]}\n",
           seed);
  assert_int_equal(workload_load_text("w", text, &workload, &error), 0);
  return workload;
}

/* A seed given later is the seed that the file might have had; each buffer has contents of its own. */
static void a_new_seed_is_as_if_the_file_had_it(void **state) {
  struct workload *one = with_seed(1), *five = with_seed(5);
  assert_true(one->buffers[0].seed != five->buffers[0].seed);
  assert_true(five->buffers[0].seed != five->buffers[1].seed);
  workload_reseed(one, 5);
  assert_int_equal(one->seed, 5);
  assert_true(one->buffers[0].seed == five->buffers[0].seed && one->buffers[1].seed == five->buffers[1].seed);
  workload_destroy(one);
  workload_destroy(five);
  (void)state;
}

static void uniform_never_rounds_up_to_high(void **state) {
  /* Halves near 2048 are 2 apart: most of [2046, 2048) rounds to its end. */
  struct workload_buffer b = {
      .type = SCALAR_HALF, .count = 1000, .init = INIT_UNIFORM, .low = 2046, .high = 2047, .seed = 1};
  uint16_t values[1000];
  workload_buffer_fill(&b, values);
  for (int i = 0; i < 1000; i++)
    assert_true(half_to_double(values[i]) >= 2046 && half_to_double(values[i]) < 2047);
  (void)state;
}

static void uniform_integers_include_both_ends(void **state) {
  struct workload_buffer b = {.type = SCALAR_CHAR, .count = 500, .init = INIT_UNIFORM, .low = -2, .high = 1, .seed = 3};
  int8_t values[500];
  int seen[4] = {0};
  workload_buffer_fill(&b, values);
  for (int i = 0; i < 500; i++) {
    assert_in_range(values[i] + 2, 0, 3);
    seen[values[i] + 2]++;
  }
  for (int i = 0; i < 4; i++)
    assert_true(seen[i] > 80);
  (void)state;
}

static void constant_index_and_zero(void **state) {
  uint16_t shorts[3];
  double doubles[3];
  struct workload_buffer b = {.type = SCALAR_USHORT, .count = 3, .init = INIT_INDEX, .low = 65534};
  workload_buffer_fill(&b, shorts);
  assert_int_equal(shorts[0], 65534);
  assert_int_equal(shorts[2], 0); /* wraps around */
  b = (struct workload_buffer){.type = SCALAR_DOUBLE, .count = 3, .init = INIT_CONSTANT, .low = 2.5};
  workload_buffer_fill(&b, doubles);
  assert_true(doubles[0] == 2.5 && doubles[2] == 2.5);
  b.init = INIT_ZERO;
  workload_buffer_fill(&b, doubles);
  assert_true(doubles[1] == 0);
  (void)state;
}

static void halves_convert_both_ways(void **state) {
  for (unsigned bits = 0; bits < 65536; bits++) {
    const double value = half_to_double((uint16_t)bits);
    if (isnan(value))
      assert_true(isnan(half_to_double(half_from_double(value))));
    else
      assert_int_equal(half_from_double(value), bits);
  }
  assert_int_equal(half_from_double(1 + 0x1p-11), 0x3c00);     /* a tie goes to even */
  assert_int_equal(half_from_double(1 + 3 * 0x1p-11), 0x3c02); /* and up here */
  assert_int_equal(half_from_double(65519.99), 0x7bff);
  assert_int_equal(half_from_double(65520), 0x7c00);
  assert_int_equal(half_from_double(0x1p-25), 0);
  assert_int_equal(half_from_double(0x1.8p-25), 1);
  (void)state;
}

static void ulps_are_neighbours(void **state) {
  const float expected[] = {1, 0, 1, NAN, INFINITY, 1};
  const float actual[] = {nextafterf(nextafterf(1, 2), 2), -0.0f, 1, NAN, INFINITY, nextafterf(1, 0)};
  assert_int_equal(workload_first_difference(SCALAR_FLOAT, actual, expected, 6, 2, 0), -1);
  assert_int_equal(workload_first_difference(SCALAR_FLOAT, actual, expected, 6, 1, 0), 0);
  assert_int_equal(workload_first_difference(SCALAR_FLOAT, actual + 1, expected + 1, 5, 0, 0), 4);
  assert_int_equal(workload_first_difference(SCALAR_FLOAT, actual + 1, expected + 1, 5, 0, 1e-6), -1);
  /* Across zero the smallest numbers of both signs are two apart. */
  const double small = 0x1p-1074, minus_small = -0x1p-1074;
  assert_int_equal(workload_first_difference(SCALAR_DOUBLE, &small, &minus_small, 1, 1, 0), 0);
  assert_int_equal(workload_first_difference(SCALAR_DOUBLE, &small, &minus_small, 1, 2, 0), -1);
  const float nan = NAN, one = 1;
  assert_int_equal(workload_first_difference(SCALAR_FLOAT, &nan, &one, 1, 1e30, 1e30), 0);
  (void)state;
}

static void integers_must_be_equal(void **state) {
  const int32_t a[] = {1, 2, 3}, b[] = {1, 2, 4};
  assert_int_equal(workload_first_difference(SCALAR_INT, a, b, 3, 100, 100), 2);
  assert_int_equal(workload_first_difference(SCALAR_INT, a, b, 2, 0, 0), -1);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_floats_fill_the_interval_and_repeat),
      cmocka_unit_test(a_new_seed_is_as_if_the_file_had_it),
      cmocka_unit_test(uniform_never_rounds_up_to_high),
      cmocka_unit_test(uniform_integers_include_both_ends),
      cmocka_unit_test(constant_index_and_zero),
      cmocka_unit_test(halves_convert_both_ways),
      cmocka_unit_test(ulps_are_neighbours),
      cmocka_unit_test(integers_must_be_equal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
