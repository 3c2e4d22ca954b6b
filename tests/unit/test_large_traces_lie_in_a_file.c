/* A trace whose numbers, paths and streams lie in files, and leave the process while they are read, is the trace in
 * memory; and where there can be no file it is loaded all the same. What is loaded keeps no file open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "random_trace.h"

static const char path[] = "large.rtrace";

static void check_same_path(const struct trace *a, const struct trace *b, uint32_t number) {
  const struct trace_path *x = a->paths[number], *y = b->paths[number];
  trace_path_read(b, number);
  assert_int_equal(x->step_count, y->step_count);
  assert_int_equal(x->site_count, y->site_count);
  assert_memory_equal(x->steps, y->steps, x->step_count * sizeof *x->steps);
  assert_memory_equal(x->sites, y->sites, x->site_count * sizeof *x->sites);
  assert_memory_equal(x->nests, y->nests, x->nest_count * sizeof *x->nests);
}

static void check_same_streams(const struct trace *a, const struct trace *b, uint32_t shape) {
  const struct trace_shape *x = a->shapes[shape], *y = b->shapes[shape];
  for (uint32_t again = 0; again < 1000; again++)
    trace_shape_read(b, shape);
  assert_int_equal(x->cohort_count, y->cohort_count);
  for (uint32_t c = 0; c < x->cohort_count; c++)
    for (uint32_t k = 0; k < a->paths[x->cohorts[c].path]->site_count; k++) {
      const struct trace_stream s = trace_stream_of(a, &x->cohorts[c], k), t = trace_stream_of(b, &y->cohorts[c], k);
      assert_int_equal(s.kind, t.kind);
      assert_memory_equal(s.item_stride, t.item_stride, 3 * sizeof *s.item_stride);
    }
}

static void check_same(const struct trace *a, const struct trace *b) {
  assert_int_equal(a->group_count, b->group_count);
  assert_int_equal(a->path_count, b->path_count);
  for (uint32_t i = 0; i < a->path_count; i++)
    check_same_path(a, b, i);
  for (uint32_t shape = 0; shape < a->shape_count; shape++)
    check_same_streams(a, b, shape);
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

/* A program may load more traces than it may have files open. */
static void test_many(void **state) {
  (void)state;
  enum { MANY = 100, MOST_FILES = 32 };
  struct trace *traces[MANY];
  struct rlimit before;
  const struct random_trace_options options = {.seed = 1, .groups = 2, .max_local = 8};
  assert_int_equal(random_trace_write(path, &options, NULL, NULL), 0);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &(const struct rlimit){MOST_FILES, before.rlim_max}), 0);
  for (int i = 0; i < MANY; i++)
    assert_int_equal(trace_load(path, &traces[i], NULL), 0);
  for (int i = 0; i < MANY; i++)
    trace_destroy(traces[i]);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_no_folder),
                                     cmocka_unit_test(test_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
