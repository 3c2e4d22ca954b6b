/* Each counter of model/result/counters.h is one value of a result, by its name and with its number; no two values
 * share a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <string.h>

#include "model/result/result_values.h"

static const struct sim_value *find(const char *name) {
  const struct sim_value *found = NULL;
  for (size_t i = 0; i < sim_value_count; i++)
    if (strcmp(sim_values[i].name, name) == 0) {
      assert_null(found);
      found = &sim_values[i];
    }
  assert_non_null(found);
  return found;
}

static void test_each_counter_is_a_value(void **state) {
  (void)state;
  struct sim_result result = {0};
  uint64_t number = 0;
#define X(place, field, name, unit, meaning) result.counters.field = ++number;
  SIM_COUNTERS(X)
#undef X
  assert_int_equal(number * sizeof number, sizeof result.counters);
  number = 0;
#define X(place, field, name, unit, meaning) assert_true(sim_value_of(find(name), &result) == (double)++number);
  SIM_COUNTERS(X)
#undef X
}

static void test_names_are_unique(void **state) {
  (void)state;
  for (size_t i = 0; i < sim_value_count; i++)
    assert_ptr_equal(find(sim_values[i].name), &sim_values[i]);
}

/* Counters of bytes count lines until they are reported, and what follows from others is set then. */
static void test_report(void **state) {
  (void)state;
  struct sim_counters counters = {.l1_misses = 5, .dram_read_bytes = 3, .dram_written_bytes = 2};
  sim_counters_report(&counters, 64);
  assert_int_equal(counters.l1_misses, 5);
  assert_int_equal(counters.dram_read_bytes, 3 * 64);
  assert_int_equal(counters.dram_bytes, 5 * 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_counter_is_a_value),
                                     cmocka_unit_test(test_names_are_unique), cmocka_unit_test(test_report)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
