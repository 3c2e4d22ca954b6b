/* A trace gives back the line of code that each operation came from; a listing that is too long for a header is left
 * out, and the trace is whole without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "base/text.h"
#include "kernel_trace.h"
#include "trace/format/header.h"

static const char path[] = "listing.rtrace";

/* A 2 x 2 matrix product with `length` letters of listing an operation; 0: none. */
static struct trace *round_trip(size_t length) {
  struct kernel_trace k;
  struct trace *trace = NULL;
  char *ir[32] = {NULL};
  kernel_trace_gemm(&k, 2, 2, 2);
  for (uint32_t i = 0; i < k.code.op_count && length > 0; i++) {
    ir[i] = text_format("%*u", (int)length, i);
    assert_non_null(ir[i]);
  }
  assert_true(kernel_trace_write_listed(&k, length > 0 ? ir : NULL, path));
  kernel_trace_clear(&k);
  for (uint32_t i = 0; i < 32; i++)
    free(ir[i]);
  assert_int_equal(trace_load(path, &trace, NULL), 0);
  assert_int_equal(trace->group_count, 1);
  return trace;
}

static void one_line_an_operation(void **state) {
  (void)state;
  struct trace *trace = round_trip(5);
  assert_true(trace->code.op_count > 9);
  assert_int_equal(trace->header.ir_count, trace->code.op_count);
  assert_string_equal(trace->header.ir[0], "    0");
  assert_string_equal(trace->header.ir[9], "    9");
  trace_destroy(trace);
}

static void none(void **state) {
  (void)state;
  struct trace *trace = round_trip(0);
  assert_int_equal(trace->header.ir_count, 0);
  assert_null(trace->header.ir);
  trace_destroy(trace);
}

static void too_long(void **state) {
  (void)state;
  struct trace *trace = round_trip((1 << 20) / 20); /* more than 20 operations: over the limit of 1 MiB */
  assert_int_equal(trace->header.ir_count, 0);
  assert_int_equal(trace->header.dimensions, 2);
  trace_destroy(trace);
}

/* Lines of any characters stand in the header as jansson would write them, but for those that are no UTF-8. */
static void any_characters(void **state) {
  (void)state;
  const char *const lines[] = {"store i32 %0, ptr %1",     "@.str = \"a\\0\"", "",
                               "tab\tbell\a\n\r\b\f\x7f/", "\xc3\xa9",         "no \xff UTF-8"};
  struct kernel_trace k;
  char *text = NULL;
  kernel_trace_gemm(&k, 2, 2, 2);
  k.header.ir = (char **)lines; /* which is only read */
  k.header.ir_count = sizeof lines / sizeof *lines;
  assert_int_equal(header_to_json(&k.header, &text, NULL), 0);
  json_t *read = json_loads(text, 0, NULL);
  char *same = json_dumps(read, JSON_INDENT(1));
  assert_string_equal(text, same);
  const json_t *listing = json_object_get(read, "ir");
  assert_int_equal(json_array_size(listing), k.header.ir_count);
  for (uint32_t i = 0; i + 1 < k.header.ir_count; i++)
    assert_string_equal(json_string_value(json_array_get(listing, i)), lines[i]);
  assert_string_equal(json_string_value(json_array_get(listing, k.header.ir_count - 1)), "no ? UTF-8");
  json_decref(read);
  free(same);
  free(text);
  k.header.ir = NULL;
  k.header.ir_count = 0;
  kernel_trace_clear(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_line_an_operation),
      cmocka_unit_test(none),
      cmocka_unit_test(too_long),
      cmocka_unit_test(any_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
