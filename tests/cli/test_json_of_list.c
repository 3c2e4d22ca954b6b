/* The document of `reassemble list --json`: names that ship, tags of workloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "json_documents.h"

static bool holds_name(const json_t *entries, const char *name) {
  for (size_t i = 0; i < json_array_size(entries); i++)
    if (strcmp(text(json_array_get(entries, i), "name"), name) == 0)
      return true;
  return false;
}

static void test_list(void **state) {
  (void)state;
  const char *const names[] = {"gemm-64", "gemm-128", "gemm-256", "gemm-512", "gemm-variants", "saxpy"};
  json_t *root = document("list workloads --json", "reassemble.list/1");
  const json_t *workloads = list(root, "workloads", 6);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_true(holds_name(workloads, names[i]));
  for (size_t i = 0; i < json_array_size(workloads); i++) {
    const json_t *tags = list(json_array_get(workloads, i), "tags", 0);
    for (size_t t = 0; t < json_array_size(tags); t++)
      assert_true(json_is_string(json_array_get(tags, t)));
  }
  json_decref(root);
  root = document("list gpus --json", "reassemble.list/1");
  assert_true(holds_name(list(root, "gpus", 3), "mali-g71-mp8"));
  json_decref(root);
  root = document("list boards --json", "reassemble.list/1");
  assert_true(holds_name(list(root, "boards", 1), "hikey960-gemm-variants"));
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
