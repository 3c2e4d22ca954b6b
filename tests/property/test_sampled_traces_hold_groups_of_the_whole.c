/* A trace of some work-groups holds, under their ids, what a trace of the whole launch says of them: paths and
 * addresses of every work-item, for the automatic choice, shares and lists, on one thread and on two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/trace.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

static struct trace *trace_of(const char *name, const char *groups, unsigned jobs) {
  struct error error = ERROR_INIT;
  struct workload *workload;
  struct emulate_result result;
  struct trace *trace;
  char **paths;
  size_t count;
  assert_int_equal(workload_expand(name, &paths, &count, &error), 0);
  assert_int_equal(workload_load(paths[0], &workload, &error), 0);
  if (groups && workload_choose_groups(workload, groups, &error))
    fail_msg("%s", error.text);
  const struct emulate_options options = {.trace_directory = groups ? "some" : "all", .check = true, .jobs = jobs};
  if (emulate_workload(workload, &options, false, &result, &error) != 0)
    fail_msg("%s: %s", name, error.text);
  assert_int_equal(result.checks_passed, groups ? 0 : workload->check_count);
  assert_int_equal(trace_load(result.launches[0].trace_path, &trace, &error), 0);
  assert_int_equal(result.launches[0].groups, trace->group_count);
  assert_int_equal(result.launches[0].launch_groups, trace_launch_groups(&trace->header));
  emulate_result_clear(&result);
  workload_destroy(workload);
  free(paths[0]);
  free(paths);
  return trace;
}

static void compare_items(const struct trace *some, const struct trace_group *a, const struct trace *all,
                          const struct trace_group *b) {
  uint32_t one[4096], other[4096], block, same;
  for (uint32_t item = 0; item < trace_local_size(&all->header); item++) {
    struct trace_cursor x, y;
    trace_cursor_init(&x, some, a, item);
    trace_cursor_init(&y, all, b, item);
    while (trace_cursor_next(&x, &block, one)) {
      assert_true(trace_cursor_next(&y, &same, other));
      assert_int_equal(block, same);
      assert_memory_equal(one, other, some->code.blocks[block].mem_count * sizeof *one);
    }
    assert_false(trace_cursor_next(&y, &same, other));
  }
}

static void compare(const char *name, const char *groups, unsigned jobs, uint32_t least, uint32_t most) {
  struct trace *all = trace_of(name, NULL, 1), *some = trace_of(name, groups, jobs);
  assert_false(trace_is_sampled(&all->header));
  assert_true(trace_is_sampled(&some->header));
  assert_in_range(some->group_count, least, most);
  assert_int_equal(trace_launch_groups(&some->header), all->group_count);
  assert_int_equal(index_ranges_total(&some->header.sample), some->group_count);
  for (uint32_t i = 0; i < some->group_count; i++) {
    assert_true(i == 0 || some->groups[i].id > some->groups[i - 1].id);
    compare_items(some, &some->groups[i], all, &all->groups[some->groups[i].id]);
  }
  trace_destroy(some);
  trace_destroy(all);
}

static void chosen_groups_are_as_in_the_whole_launch(void **state) {
  (void)state;
  compare("transpose-naive-512", "auto", 1, 9, 64);
  compare("transpose-naive-512", "auto", 2, 9, 64);
  compare("transpose-tiled-512", "3%", 1, 31, 100);
  compare("gemm-64", "0..2,5,63", 2, 5, 5);
  compare("spmv-csr-16384", "5%", 1, 1, 60);
  compare("saxpy", "1023", 1, 1, 1);
}

/* A choice of all work-groups is no sample, and the trace is the one of the whole launch. */
static void all_of_a_list_is_the_whole_launch(void **state) {
  (void)state;
  struct trace *all = trace_of("gemm-64", "0..63", 1);
  assert_false(trace_is_sampled(&all->header));
  assert_int_equal(all->group_count, 64);
  trace_destroy(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chosen_groups_are_as_in_the_whole_launch),
                                     cmocka_unit_test(all_of_a_list_is_the_whole_launch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
