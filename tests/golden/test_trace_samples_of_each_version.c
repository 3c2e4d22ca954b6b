/* tests/golden/gemm-4.rtrace (version 1) and gemm-4-version-2.rtrace: a 4 x 4 matrix product in work-groups of 2 x 1,
 * byte by byte as docs/trace-format.md says, and read back. Samples are never written again: files of old versions stay
 * readable. With an argument, the program writes a new sample there (for a new version). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "kernel_trace.h"
#include "reframe.h"

static char *sample_path(const char *name) {
  const char *root = getenv("REASSEMBLE_DATA");
  char *path = text_format("%s/tests/golden/%s", root ? root : ".", name);
  assert_non_null(path);
  return path;
}

static int write_sample(const char *path) {
  struct kernel_trace k;
  struct trace_writer *w;
  struct error error = ERROR_INIT;
  int result = 0;
  kernel_trace_gemm(&k, 4, 2, 1);
  if (trace_writer_open(path, &k.header, &k.code, &w, &error) != 0)
    return -1;
  for (uint32_t g = 0; g < 8 && result == 0; g++) {
    result = trace_writer_group_begin(w, g);
    for (uint32_t i = 0; i < 2 && result == 0; i++) {
      kernel_trace_gemm_item(&k, g % 2 * 2 + i, g / 2);
      result = trace_writer_item(w, i, k.item_blocks, k.block_count, k.item_addresses, k.address_count, &error);
    }
    if (result == 0)
      result = trace_writer_group_end(w, &error);
  }
  kernel_trace_clear(&k);
  if (trace_writer_close(w, &error) != 0)
    result = -1;
  if (result != 0)
    error_print(&error, stderr);
  return result;
}

static void expect_payload(struct loose_trace *t, enum frame_kind kind, const unsigned char *raw, size_t length) {
  const struct loose_frame *f = loose_trace_find(t, kind);
  assert_int_equal(f->length, length);
  assert_memory_equal(f->raw, raw, length);
}

/* Block 0, four times block 1, block 2; A at 4 (4 y + i), B at 64 + 4 (4 i + x), C at 128 + 4 (4 y + x). */
static void check_payloads(const char *path, int version) {
  static const unsigned char paths[] = {0, 1, 4, 0, 3, 2, 2, 4};
  static const unsigned char shapes_1[] = {0, 1, 1, 0, 0, 1, 0, 8, 0, 0, 0, 32, 8, 0, 0, 8, 0};
  static const unsigned char shapes_2[] = {0, 1, 1, 0, 0, 1, 0, 0, 8, 0, 0, 0, 32, 8, 0, 0, 8, 0};
  static const unsigned char groups[] = {0,  8,  0, 0,  0x80, 1,  0x80, 2, 0,  0,  16, 16, 0,  32, 15, 16, 0,  0,
                                         16, 16, 0, 32, 15,   16, 0,    0, 16, 16, 0,  32, 15, 16, 0,  0,  16, 16};
  static const unsigned char end[] = {8, 16, 0xf0, 8, 1, 1}; /* 16 work-items of 8 + 4 x 15 + 3 operations */
  struct loose_trace t;
  loose_trace_read(path, &t);
  assert_int_equal(t.count, 6);
  expect_payload(&t, FRAME_PATHS, paths, sizeof paths);
  if (version == 1)
    expect_payload(&t, FRAME_SHAPES, shapes_1, sizeof shapes_1);
  else
    expect_payload(&t, FRAME_SHAPES, shapes_2, sizeof shapes_2);
  expect_payload(&t, FRAME_GROUPS, groups, sizeof groups);
  expect_payload(&t, FRAME_END, end, sizeof end);
  loose_trace_clear(&t);
}

static const char *const samples[] = {"gemm-4.rtrace", "gemm-4-version-2.rtrace"};

static void samples_have_the_documented_bytes(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    char *path = sample_path(samples[i]);
    check_payloads(path, i + 1);
    free(path);
  }
}

static void writer_writes_the_same(void **state) {
  (void)state;
  char path[] = "/tmp/trace-sample-XXXXXX";
  assert_true(mkstemp(path) >= 0);
  assert_int_equal(write_sample(path), 0);
  check_payloads(path, 2);
  remove(path);
}

static void sample_reads(const char *name) {
  char *path = sample_path(name);
  struct trace *trace;
  struct error error = ERROR_INIT;
  if (trace_load(path, &trace, &error) != 0)
    fail_msg("%s", error.text);
  assert_string_equal(trace->header.kernel, "kernel");
  assert_int_equal(trace->header.dimensions, 2);
  assert_int_equal(trace->group_count, 8);
  assert_int_equal(trace->work_item_instructions, 1136);
  assert_int_equal(trace->paths[0]->block_executions, 6);
  assert_int_equal(trace->paths[0]->access_executions, 9);
  assert_int_equal(trace->code.ops[trace->paths[0]->sites[2].op].op_class, OP_STORE);
  for (uint32_t g = 0; g < 8; g++)
    for (uint32_t item = 0; item < 2; item++)
      for (uint32_t i = 0; i < 4; i++) {
        const uint32_t x = g % 2 * 2 + item, y = g / 2;
        assert_int_equal(trace_address(trace, &trace->groups[g], item, 0, &i), 4 * (4 * y + i));
        assert_int_equal(trace_address(trace, &trace->groups[g], item, 1, &i), 64 + 4 * (4 * i + x));
        assert_int_equal(trace_address(trace, &trace->groups[g], item, 2, NULL), 128 + 4 * (4 * y + x));
      }
  trace_destroy(trace);
  free(path);
}

static void samples_read(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    sample_reads(samples[i]);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_have_the_documented_bytes),
                                     cmocka_unit_test(writer_writes_the_same), cmocka_unit_test(samples_read)};
  if (argc > 1)
    return write_sample(argv[1]) != 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
