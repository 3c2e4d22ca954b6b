/* A variant has another result if integers differ, or floating-point numbers by more than a thousandth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/launch/variant_results.h"

#define COUNT 4

/* Compares one buffer of each of two variants. Returns the element that differs; COUNT: none. */
static size_t compare(enum scalar_type type, const void *first, const void *second, const char *second_name,
                      uint64_t groups_run) {
  const void *const contents[] = {first, second};
  const char *const names[] = {"out", second_name};
  struct variant_results results = {0};
  struct variant_difference difference = {0};
  size_t element = COUNT;
  for (size_t i = 0; i < 2; i++) {
    struct workload_buffer buffer = {.name = strdup(names[i]), .type = type, .count = COUNT};
    const struct workload workload = {.name = (char[]){"v"}, .buffers = &buffer, .buffer_count = 1};
    struct emulate_launch launch = {.groups = groups_run, .launch_groups = 8};
    void *copy = malloc(COUNT * scalar_type_bytes(type));
    assert_non_null(copy);
    memcpy(copy, contents[i], COUNT * scalar_type_bytes(type));
    struct emulate_result result = {.launches = &launch, .launch_count = 1, .buffers = &copy, .buffer_count = 1};
    assert_true(variant_results_wanted(&workload));
    assert_int_equal(variant_results_compare(&results, &workload, &result, &difference, NULL), 0);
    free(copy);
    free(buffer.name);
  }
  if (difference.buffer) {
    assert_string_equal(difference.buffer, "out");
    assert_string_equal(difference.reference, "v");
    element = difference.element;
  }
  variant_difference_clear(&difference);
  variant_results_clear(&results);
  return element;
}

static void integers_are_compared_exactly(void **state) {
  (void)state;
  const int32_t a[COUNT] = {1000000, 2, 3, 4}, b[COUNT] = {1000000, 2, 4, 4};
  const uint64_t wide[COUNT] = {UINT64_MAX, 1, 2, 3}, near[COUNT] = {UINT64_MAX - 1, 1, 2, 3};
  assert_int_equal(compare(SCALAR_INT, a, a, "out", 8), COUNT);
  assert_int_equal(compare(SCALAR_INT, a, b, "out", 8), 2);
  assert_int_equal(compare(SCALAR_ULONG, wide, near, "out", 8), 0);
}

static void sums_in_another_order_agree(void **state) {
  (void)state;
  const float a[COUNT] = {100, 1e-4F, NAN, INFINITY}, near[COUNT] = {100.09F, 9e-4F, NAN, INFINITY},
              beyond[COUNT] = {100.2F, 1e-4F, NAN, INFINITY}, small[COUNT] = {100, 2e-3F, NAN, INFINITY},
              number[COUNT] = {100, 1e-4F, 0, INFINITY}, finite[COUNT] = {100, 1e-4F, NAN, 3e38F};
  assert_int_equal(compare(SCALAR_FLOAT, a, near, "out", 8), COUNT);
  assert_int_equal(compare(SCALAR_FLOAT, a, beyond, "out", 8), 0);
  assert_int_equal(compare(SCALAR_FLOAT, a, small, "out", 8), 1);
  assert_int_equal(compare(SCALAR_FLOAT, a, number, "out", 8), 2);
  assert_int_equal(compare(SCALAR_FLOAT, a, finite, "out", 8), 3);
}

static void other_buffers_and_parts_of_launches_are_not_compared(void **state) {
  (void)state;
  const int32_t a[COUNT] = {1, 2, 3, 4}, b[COUNT] = {4, 3, 2, 1};
  assert_int_equal(compare(SCALAR_INT, a, b, "another", 8), COUNT);
  assert_int_equal(compare(SCALAR_INT, a, b, "out", 7), COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_compared_exactly),
      cmocka_unit_test(sums_in_another_order_agree),
      cmocka_unit_test(other_buffers_and_parts_of_launches_are_not_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
