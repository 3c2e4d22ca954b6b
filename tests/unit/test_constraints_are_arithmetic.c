/* Constraints mean what arithmetic means: precedence, parentheses, suffixes, comparisons; areas are sums of parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <string.h>

#include "dse/sweep/area.h"
#include "dse/sweep/constraint.h"

static const struct gpu_spec spec = {.cores = 8,
                                     .execution_engines = 3,
                                     .warp_size = 4,
                                     .l1_bytes = 16384,
                                     .l2_bytes = 524288,
                                     .arith_cycles = 0.5,
                                     .area_per_core = 16,
                                     .area_per_engine = 2,
                                     .area_per_lane = 1,
                                     .area_per_l1_kib = 0.125,
                                     .area_per_l2_kib = 0.1};

static void test_values(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool holds;
  } cases[] = {
      {"cores == 8", true},
      {"cores != 8", false},
      {"cores<8", false},
      {"cores<=8", true},
      {"cores > 7.5", true},
      {"cores >= 8.5", false},
      {"l1_bytes * cores <= l2_bytes / 4", true},
      {"l1_bytes == 16Ki", true},
      {"2 + 3 * 4 == 14", true},
      {"(2 + 3) * 4 == 20", true},
      {"20 - 5 - 3 == 12", true},
      {"24 / 4 / 2 == 3", true},
      {"2 * (1 + (3 - 1)) == 6", true},
      {"arith_cycles * 2 == 1", true},
      {"1 / 0 > 1000", true},
      {"1 / 0 - 1 / 0 <= 1", false},
      {"area == 8 * (16 + 3 * (2 + 4) + 2) + 51.2", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct expression *expression;
    struct error error = ERROR_INIT;
    if (constraint_compile(cases[i].text, &expression, &error) != 0)
      fail_msg("%s", error.text);
    if (constraint_holds(expression, &spec) != cases[i].holds)
      fail_msg("\"%s\" should %s", cases[i].text, cases[i].holds ? "hold" : "not hold");
    assert_string_equal(expression_text(expression), cases[i].text);
    expression_destroy(expression);
  }
}

static void test_refusals(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",       "cores",  "cores <",         "< 8",     "cores < 8 < 9", "cores <8)",  "()",     "cores = 8",
      "8x < 3", "-1 < 3", "cores cores < 1", "1 + < 2", "cores < \t8",   "cores < 1e", "a.b < 3"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    struct expression *expression = NULL;
    struct error error = ERROR_INIT;
    if (constraint_compile(texts[i], &expression, &error) == 0)
      fail_msg("\"%s\" was taken", texts[i]);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_null(expression);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
