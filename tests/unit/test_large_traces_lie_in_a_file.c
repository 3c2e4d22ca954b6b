/* A trace whose numbers lie in a file, and leave the process while they are read, is the trace in memory; and where there
 * can be no file it is loaded all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_trace.h"

static const char path[] = "large.rtrace";

static void check_same(const struct trace *a, const struct trace *b) {
  assert_int_equal(a->group_count, b->group_count);
  for (uint32_t g = 0; g < a->group_count; g++) {
    const struct trace_group *x = &a->groups[g], *y = &b->groups[g];
    for (uint32_t again = 0; again < 1000; again++) /* often enough for pages to be let go */
      trace_group_read(b, y);
    assert_int_equal(x->shape, y->shape);
    assert_int_equal(x->value_count, y->value_count);
    assert_memory_equal(x->base, y->base, a->shapes[x->shape]->stream_count * sizeof *x->base);
    if (x->value_count > 0)
      assert_memory_equal(x->values, y->values, (size_t)x->value_count * sizeof *x->values);
  }
}

static void check(const char *folder) {
  struct error error = ERROR_INIT;
  struct trace *in_memory, *in_file;
  setenv("TMPDIR", folder, 1);
  for (uint32_t seed = 1; seed <= 5; seed++) {
    const struct random_trace_options options = {.seed = seed, .groups = 40, .max_local = 64};
    assert_int_equal(random_trace_write(path, &options, NULL, &error), 0);
    assert_int_equal(trace_load(path, &in_memory, &error), 0);
    assert_int_equal(trace_load_spilling(path, 0, &in_file, &error), 0);
    check_same(in_memory, in_file);
    trace_destroy(in_memory);
    trace_destroy(in_file);
  }
  unlink(path);
}

static void test_file(void **state) {
  (void)state;
  check("/tmp");
}

static void test_no_folder(void **state) {
  (void)state;
  check("/no/such/folder");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_no_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
