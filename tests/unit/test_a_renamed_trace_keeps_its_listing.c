/* A trace that is copied under other names has the header that a trace with these names would have, to the byte: with a
 * listing, which is copied as it stands, without one, with one that looks like the header around it, and with names
 * that leave no room for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"
#include "kernel_trace.h"
#include "trace/write/renamed_trace.h"

static const char from[] = "before.rtrace", to[] = "after.rtrace", wanted[] = "wanted.rtrace";

static void write_trace(const char *path, const char *workload, const char *line) {
  struct kernel_trace k;
  char *ir[32];
  kernel_trace_gemm(&k, 2, 2, 2);
  assert_true(k.code.op_count <= 32);
  for (uint32_t i = 0; i < k.code.op_count; i++)
    ir[i] = (char *)line;
  k.header.workload = (char *)workload;
  assert_true(kernel_trace_write_listed(&k, line ? ir : NULL, path));
  kernel_trace_clear(&k);
}

static void check(const char *name, const char *line) {
  char *copied, *expected;
  size_t copied_bytes, expected_bytes;
  uint64_t bytes;
  write_trace(from, "before", line);
  write_trace(wanted, name, line);
  assert_int_equal(trace_copy_renamed(from, to, &(struct trace_names){.workload = name}, &bytes, NULL), 0);
  assert_int_equal(file_read(to, SIZE_MAX / 2, &copied, &copied_bytes, NULL), 0);
  assert_int_equal(file_read(wanted, SIZE_MAX / 2, &expected, &expected_bytes, NULL), 0);
  assert_int_equal(copied_bytes, expected_bytes);
  assert_int_equal(bytes, expected_bytes);
  assert_memory_equal(copied, expected, expected_bytes);
  free(copied);
  free(expected);
}

static void with_listing(void **state) {
  (void)state;
  check("after", "%1 = add i32 %0, 1");
  check("", "%1 = add i32 %0, 1, !\"\\\\\"");
}

static void without_listing(void **state) {
  (void)state;
  check("after", NULL);
}

static void listing_like_a_header(void **state) {
  (void)state;
  check("after", ",\n \"ir\": [\n");
  check(",\n \"ir\": [\n", ",\n \"ir\": [\n  \"\"\n ]\n}");
}

static void no_room_for_the_listing(void **state) {
  (void)state;
  char *name = text_format("%*s", (1 << 20) - 2000, "x"), *line = text_format("%*s", 4000, "y");
  assert_true(name && line);
  check(name, line);
  free(name);
  free(line);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_listing),
      cmocka_unit_test(without_listing),
      cmocka_unit_test(listing_like_a_header),
      cmocka_unit_test(no_room_for_the_listing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
