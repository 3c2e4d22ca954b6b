/* The document of `reassemble rank --json`: an order, intervals around it, and reasons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "json_documents.h"

static void check_reasons(const json_t *variant) {
  const json_t *reasons = list(variant, "reasons", 0);
  for (size_t i = 0; i < json_array_size(reasons); i++) {
    const json_t *reason = json_array_get(reasons, i), *line = json_object_get(reason, "source_line");
    assert_true(strlen(text(reason, "component")) > 0);
    assert_true(number(reason, "cycles") != 0);
    assert_true(json_is_null(line) || json_integer_value(line) > 0);
  }
}

static void test_rank(void **state) {
  (void)state;
  json_t *root = document("rank --gpu mali-g71-mp8 --json --quiet gemm-variants saxpy", "reassemble.rank/1");
  const json_t *variants = list(root, "variants", 12);
  const double fastest = number(json_array_get(variants, 0), "cycles");
  double before = 0;
  size_t reasons = 0, tied = 0;
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const json_t *variant = json_array_get(variants, i);
    const double cycles = number(variant, "cycles");
    assert_true(strlen(text(variant, "name")) > 0);
    assert_true(before <= cycles);
    assert_true(number(variant, "low") <= cycles && cycles <= number(variant, "high"));
    assert_true(fabs(number(variant, "relative") - cycles / fastest) < 1e-12);
    assert_true(json_is_boolean(json_object_get(variant, "tied_with_previous")));
    tied += json_is_true(json_object_get(variant, "tied_with_previous"));
    check_reasons(variant);
    reasons += json_array_size(json_object_get(variant, "reasons"));
    before = cycles;
  }
  assert_true(reasons > 0 && tied > 0); /* variants a and i take equally long */
  assert_false(json_is_true(json_object_get(json_array_get(variants, 0), "tied_with_previous")));
  assert_int_equal(json_array_size(json_object_get(json_array_get(variants, 0), "reasons")), 0);
  json_decref(root);
}

static bool has_remark(const json_t *variant, const char *kind) {
  const json_t *remarks = json_object_get(variant, "remarks");
  for (size_t i = 0; i < json_array_size(remarks); i++)
    if (strcmp(text(json_array_get(remarks, i), "kind"), kind) == 0)
      return strlen(text(json_array_get(remarks, i), "text")) > 0;
  return false;
}

static const json_t *variant_named(const json_t *variants, const char *name) {
  for (size_t i = 0; i < json_array_size(variants); i++)
    if (strcmp(text(json_array_get(variants, i), "name"), name) == 0)
      return json_array_get(variants, i);
  return NULL;
}

/* A remark names the change of a variant in table 5.10 of the thesis, and the baseline has no such remark. */
static void check_remarks(const char *gpu) {
  static const struct {
    const char *name, *kind;
  } changed[] = {{"gemm-variants-c", "barriers"},
                 {"gemm-variants-e", "partial_warps"},
                 {"gemm-variants-f", "cache_misses"},
                 {"gemm-variants-g", "arithmetic"},
                 {"gemm-variants-k", "divergence"}};
  char command[160];
  snprintf(command, sizeof command, "rank --gpu %s --json --quiet gemm-variants", gpu);
  json_t *root = document(command, "reassemble.rank/1");
  const json_t *variants = list(root, "variants", 11);
  for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
    assert_true(has_remark(variant_named(variants, changed[i].name), changed[i].kind));
    assert_false(has_remark(variant_named(variants, "gemm-variants-a"), changed[i].kind));
  }
  json_decref(root);
}

static void test_remarks_name_what_was_changed(void **state) {
  (void)state;
  check_remarks("mali-g71-mp8");
  check_remarks("mali-g71-mp8-thesis");
}

/* Components and lines of two variants add up to the difference of their cycles, lines to most of it. */
static void test_explain(void **state) {
  (void)state;
  json_t *root = document("rank --gpu generic-scalar --json --quiet gemm-64 gemm-128 --explain gemm-64,gemm-128",
                          "reassemble.rank/1");
  const json_t *explain = json_object_get(root, "explain"), *components = list(explain, "components", 0),
               *lines = list(explain, "lines", 0), *all = json_array_get(components, json_array_size(components) - 1);
  double sum = 0, of_lines = 0;
  for (size_t i = 0; i + 1 < json_array_size(components); i++)
    sum += number(json_array_get(components, i), "difference");
  for (size_t i = 0; i < json_array_size(lines); i++)
    of_lines += number(json_array_get(lines, i), "difference");
  assert_string_equal(text(all, "component"), "all");
  assert_true(number(all, "difference") > 0);
  assert_true(fabs(sum - number(all, "difference")) < 1e-6 * sum);
  assert_true(of_lines > 0.5 * sum && of_lines < 1.001 * sum);
  json_decref(root);
}

/* Stores of a naive transpose are a row apart; the model's own count of L2 accesses says the same. */
static void test_strides_are_named(void **state) {
  (void)state;
  json_t *root =
      document("simulate --gpu mali-g71-mp8 --json --quiet --detail transpose-naive-512", "reassemble.simulate/1");
  const json_t *detail = json_object_get(json_array_get(list(root, "kernels", 1), 0), "detail");
  assert_true(has_remark(detail, "stride"));
  assert_false(has_remark(detail, "divergence"));
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rank), cmocka_unit_test(test_remarks_name_what_was_changed),
                                     cmocka_unit_test(test_strides_are_named), cmocka_unit_test(test_explain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
