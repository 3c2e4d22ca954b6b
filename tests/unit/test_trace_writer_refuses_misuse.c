/* Wrong order, missing or doubled work-items, impossible executions: the writer says so and leaves no file behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernel_trace.h"

static char path[] = "/tmp/trace-misuse-XXXXXX";
static struct kernel_trace k;

static struct trace_writer *opened(void) {
  struct trace_writer *w;
  assert_int_equal(trace_writer_open(path, &k.header, &k.code, &w, NULL), 0);
  return w;
}

/* Closing fails with this message and the file is not there. */
static void expect(struct trace_writer *w, const char *message) {
  struct error error = ERROR_INIT;
  assert_int_equal(trace_writer_close(w, &error), -1);
  if (!strstr(error.text, message))
    fail_msg("found \"%s\", expected \"%s\"", error.text, message);
  assert_int_equal(access(path, F_OK), -1);
}

static int item(struct trace_writer *w, uint32_t id) {
  kernel_trace_gemm_item(&k, id, 0);
  return trace_writer_item(w, id, k.item_blocks, k.block_count, k.item_addresses, k.address_count, NULL);
}

static void groups_out_of_order(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 1), -1);
  expect(w, "found work-group 1, expected 0 of 8");
}

static void group_inside_a_group(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(trace_writer_group_begin(w, 1), -1);
  expect(w, "expected the end of 0");
}

static void item_missing(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(item(w, 1), 0);
  assert_int_equal(trace_writer_group_end(w, NULL), -1);
  expect(w, "end of work-group 0: found 1 work-items, expected 2");
}

static void item_twice(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(item(w, 1), 0);
  assert_int_equal(item(w, 1), -1);
  expect(w, "work-item 1 of work-group 0: recorded twice");
}

static void item_of_no_group(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(item(w, 0), -1);
  expect(w, "outside a work-group");
}

static void too_few_addresses(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  kernel_trace_gemm_item(&k, 0, 0);
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(trace_writer_item(w, 0, k.item_blocks, k.block_count, k.item_addresses, k.address_count - 1, NULL),
                   -1);
  expect(w, "found 8 addresses, expected 9 by its blocks");
}

static void impossible_walk(void **state) {
  (void)state;
  const uint16_t blocks[] = {0, 2}, unknown[] = {0, 7};
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(trace_writer_item(w, 0, blocks, 2, k.item_addresses, 1, NULL), -1);
  expect(w, "block 2 cannot follow block 0");
  w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(trace_writer_item(w, 0, unknown, 2, k.item_addresses, 1, NULL), -1);
  expect(w, "found block 7, expected less than 3");
}

static void groups_missing(void **state) {
  (void)state;
  struct trace_writer *w = opened();
  assert_int_equal(trace_writer_group_begin(w, 0), 0);
  assert_int_equal(item(w, 0), 0);
  assert_int_equal(item(w, 1), 0);
  assert_int_equal(trace_writer_group_end(w, NULL), 0);
  expect(w, "closed after 1 of 8 work-groups");
}

static void aborted(void **state) {
  (void)state;
  trace_writer_abort(opened());
  assert_int_equal(access(path, F_OK), -1);
}

static void wrong_range(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct trace_header header = k.header;
  struct trace_writer *w;
  header.local[0] = 3;
  assert_int_equal(trace_writer_open(path, &header, &k.code, &w, &error), -1);
  assert_non_null(strstr(error.text, "local size 3 does not divide global size 4"));
  assert_int_equal(access(path, F_OK), -1);
}

static void wrong_code(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct trace_writer *w;
  k.blocks[0].ipdom = 1;
  k.blocks[1].ipdom = 0;
  assert_int_equal(trace_writer_open(path, &k.header, &k.code, &w, &error), -1);
  assert_non_null(strstr(error.text, "post-dominates itself"));
  k.blocks[1].ipdom = 2;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_out_of_order),
      cmocka_unit_test(group_inside_a_group),
      cmocka_unit_test(item_missing),
      cmocka_unit_test(item_twice),
      cmocka_unit_test(item_of_no_group),
      cmocka_unit_test(too_few_addresses),
      cmocka_unit_test(impossible_walk),
      cmocka_unit_test(groups_missing),
      cmocka_unit_test(aborted),
      cmocka_unit_test(wrong_range),
      cmocka_unit_test(wrong_code),
  };
  const int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  remove(path);
  kernel_trace_gemm(&k, 4, 2, 1);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  kernel_trace_clear(&k);
  return failed;
}
