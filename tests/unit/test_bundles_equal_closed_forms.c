/* Operations that issue side by side, on kernels worked out by hand: cycles under `issue: bundles`, where clauses end,
 * what the profile must say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "default_spec.h"
#include "line_kernel.h"
#include "simulated.h"

/* One work-item on one engine; half a cycle a slot, so a cycle a tuple; memory takes no time. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.arith_cycles = 0.5;
  spec.store_cycles = spec.l1_hit_cycles = spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  return spec;
}

static double cycles(const char *ops, int issue) {
  static struct line_kernel kernel;
  struct gpu_spec spec = one_engine();
  spec.issue = issue;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = ops, .groups = 1, .items = 1});
  const struct sim_result result = simulated_numbers(&kernel.trace, &spec);
  assert_true(result.stack.issue == result.cycles);
  return result.cycles;
}

#define F8 "ffffffff"
#define A8 "aaaaaaaa"

static void check(const char *ops, double tuples) {
  assert_true(cycles(ops, ISSUE_BUNDLES) == tuples);
  assert_true(cycles(ops, ISSUE_SLOTS) == (double)strlen(ops) / 2);
}

static void test_pipes_fill_tuples(void **state) {
  (void)state;
  check("f", 1);
  check("fa", 1);
  check("ff", 2);
  check("aaf", 2);
  check(F8 A8, 8);
  check("fafafafafafafafa", 8);
}

/* A clause has eight tuples, filled in program order. */
static void test_clauses_are_windows(void **state) {
  (void)state;
  check(F8 F8, 16);
  check(F8 F8 A8, 16);
  check(F8 F8 A8 A8, 24);
  check("f" A8 F8, 9); /* the eighth f finds the FMA slots taken */
}

/* Messages end clauses and issue on the ADD pipe; a clause begins before the first use of a loaded value. */
static void test_messages_and_uses_end_clauses(void **state) {
  (void)state;
  check("fL", 1);
  check("fLff", 3);
  check("aL", 2);
  check("LaLf", 4);
  check("Lfau", 3);
  check("Lfaa", 3);
  check("Lfafu", 4);
  check("LffaaB", 4);
}

static void test_profile_must_know_pipes(void **state) {
  (void)state;
  static struct line_kernel kernel;
  struct isa_profile *other;
  struct gpu_spec spec = one_engine();
  struct sim_result result;
  struct error error = ERROR_INIT;
  spec.issue = ISSUE_BUNDLES;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = "a", .groups = 1, .items = 1});
  assert_int_equal(isa_load("nvidia-like", &other, &error), 0);
  assert_int_equal(simulate(&kernel.trace, other, &spec, &result, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_string_equal(error.key, "issue");
  assert_non_null(strstr(error.text, "'nvidia-like' has no 'bundle'"));
  isa_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pipes_fill_tuples), cmocka_unit_test(test_clauses_are_windows),
      cmocka_unit_test(test_messages_and_uses_end_clauses), cmocka_unit_test(test_profile_must_know_pipes)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
