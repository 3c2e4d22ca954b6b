/* Hand-made lies under right checksums: each is refused with a message that names the frame and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "kernel_trace.h"
#include "reframe.h"

static char path[] = "/tmp/trace-hostile-XXXXXX";

/* One work-group of two items of a 4 x 4 matrix product, eight groups. */
static void write_sample(void) {
  struct kernel_trace k;
  struct trace_writer *w;
  kernel_trace_gemm(&k, 4, 2, 1);
  assert_int_equal(trace_writer_open(path, &k.header, &k.code, &w, NULL), 0);
  for (uint32_t g = 0; g < 8; g++) {
    assert_int_equal(trace_writer_group_begin(w, g), 0);
    for (uint32_t i = 0; i < 2; i++) {
      kernel_trace_gemm_item(&k, g % 2 * 2 + i, g / 2);
      assert_int_equal(trace_writer_item(w, i, k.item_blocks, k.block_count, k.item_addresses, k.address_count, NULL),
                       0);
    }
    assert_int_equal(trace_writer_group_end(w, NULL), 0);
  }
  assert_int_equal(trace_writer_close(w, NULL), 0);
  kernel_trace_clear(&k);
}

static void expect(const char *message) {
  struct error error = ERROR_INIT;
  assert_int_equal(read_whole_trace(path, &error), -1);
  if (!strstr(error.text, message))
    fail_msg("found \"%s\", expected \"%s\"", error.text, message);
  assert_string_equal(error.file, path);
}

/* The sample with one payload replaced. */
static void replace(enum frame_kind kind, const void *raw, size_t length, const char *message) {
  struct loose_trace t;
  write_sample();
  loose_trace_read(path, &t);
  struct loose_frame *f = loose_trace_find(&t, kind);
  free(f->raw);
  f->raw = malloc(length + 1);
  memcpy(f->raw, raw, length);
  f->length = length;
  loose_trace_write(path, &t);
  loose_trace_clear(&t);
  expect(message);
}

/* The sample with one text of the header replaced by another. */
static void replace_text(const char *from, const char *to, const char *message) {
  struct loose_trace t;
  write_sample();
  loose_trace_read(path, &t);
  struct loose_frame *f = loose_trace_find(&t, FRAME_HEADER);
  f->raw[f->length] = '\0';
  const char *at = strstr((char *)f->raw, from);
  assert_non_null(at);
  char *text = text_format("%.*s%s%s", (int)(at - (char *)f->raw), (char *)f->raw, to, at + strlen(from));
  loose_trace_clear(&t);
  replace(FRAME_HEADER, text, strlen(text), message);
  free(text);
}

#define REPLACE(kind, message, ...)                                                                                    \
  do {                                                                                                                 \
    const unsigned char raw[] = {__VA_ARGS__};                                                                         \
    replace(kind, raw, sizeof raw, message);                                                                           \
  } while (0)

/* A path record is: number of steps; block b: 2b; loop: 2 * body + 1, repeat - 2. The kernel is 0 -> 1 -> 1 ... -> 2.
 */
static void paths(void **state) {
  (void)state;
  REPLACE(FRAME_PATHS, "definitions do not go on", 1, 1, 1, 0);
  REPLACE(FRAME_PATHS, "definitions do not go on", 0, 100, 1, 0);
  REPLACE(FRAME_PATHS, "more steps than the frame holds", 0, 1, 0xff, 0xff, 3, 0);
  REPLACE(FRAME_PATHS, "runs at least one block", 0, 1, 0);
  REPLACE(FRAME_PATHS, "no such block", 0, 1, 3, 0, 6, 4);
  REPLACE(FRAME_PATHS, "starts in block 0", 0, 1, 2, 2, 4);
  REPLACE(FRAME_PATHS, "ends in a block without successors", 0, 1, 2, 0, 2);
  REPLACE(FRAME_PATHS, "step 1: block 2 cannot follow block 0", 0, 1, 2, 0, 4);
  REPLACE(FRAME_PATHS, "step 0: block 0 cannot follow block 2", 0, 1, 4, 7, 0, 0, 2, 4);
  REPLACE(FRAME_PATHS, "ends behind the loop around it", 0, 1, 3, 0, 5, 0, 2);
  REPLACE(FRAME_PATHS, "out of range", 0, 1, 3, 0, 1, 0);
  REPLACE(FRAME_PATHS, "bytes behind", 0, 1, 3, 0, 2, 4, 9);
  /* nine loops around block 1 */
  REPLACE(FRAME_PATHS, "nested too deeply", 0, 1, 12, 0, 19, 0, 17, 0, 15, 0, 13, 0, 11, 0, 9, 0, 7, 0, 5, 0, 3, 0, 2,
          4);
  /* 2^21 * 2^21 executions */
  REPLACE(FRAME_PATHS, "more than 2^40 block executions", 0, 1, 5, 0, 5, 0xfe, 0xff, 0x7f, 3, 0xfe, 0xff, 0x7f, 2, 4);
}

/* A shape record is: cohorts, their paths, runs (cohort, length - 1); per cohort its form, streams (kind, strides). */
static void shapes(void **state) {
  (void)state;
  REPLACE(FRAME_SHAPES, "no cohort or more than work-items", 0, 1, 0, 0);
  REPLACE(FRAME_SHAPES, "no cohort or more than work-items", 0, 1, 3, 0);
  REPLACE(FRAME_SHAPES, "a path that was not defined", 0, 1, 1, 1, 0, 1);
  REPLACE(FRAME_SHAPES, "runs do not cover", 0, 1, 1, 0, 0, 2);
  REPLACE(FRAME_SHAPES, "runs do not cover", 0, 1, 1, 0, 1, 1);
  REPLACE(FRAME_SHAPES, "a cohort without work-items", 0, 1, 2, 0, 0, 0, 1);
  REPLACE(FRAME_SHAPES, "cohorts end early or have an unknown form", 0, 1, 1, 0, 0, 1);
  REPLACE(FRAME_SHAPES, "cohorts end early or have an unknown form", 0, 1, 1, 0, 0, 1, 2, 0, 0, 0);
  REPLACE(FRAME_SHAPES, "streams end early or have an unknown kind", 0, 1, 1, 0, 0, 1, 0, 3, 0, 0, 0);
  REPLACE(FRAME_SHAPES, "streams end early or have an unknown kind", 0, 1, 1, 0, 0, 1, 1, 0);
}

static void groups(void **state) {
  (void)state;
  REPLACE(FRAME_GROUPS, "work-groups do not go on", 1, 1, 0, 0, 0, 0);
  REPLACE(FRAME_GROUPS, "more work-groups than the launch has", 0, 9, 0, 0, 0, 0);
  REPLACE(FRAME_GROUPS, "more work-groups than the launch has", 0, 0);
  REPLACE(FRAME_GROUPS, "a shape that was not defined", 0, 8, 2, 0, 0, 0);
  REPLACE(FRAME_GROUPS, "a shape that was not defined", 0, 8, 1, 0, 0, 0);
  REPLACE(FRAME_GROUPS, "more numbers than the frame holds", 0, 8, 0, 0);
  REPLACE(FRAME_GROUPS, "out of range", 0, 8, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0);
  REPLACE(FRAME_GROUPS, "ends before its last work-group", 0, 1, 0, 0, 0, 0);
}

static void totals(void **state) {
  (void)state;
  REPLACE(FRAME_END, "total of work-groups does not fit the 8", 7, 16, 0, 1, 1);
  REPLACE(FRAME_END, "total of work-items does not fit the 16", 8, 17, 0, 1, 1);
  REPLACE(FRAME_END, "total of work-item instructions does not fit", 8, 16, 0, 1, 1);
  REPLACE(FRAME_END, "total of work-groups", 8 | 0x80);
}

static void headers(void **state) {
  (void)state;
  replace(FRAME_HEADER, "[]", 2, "expected a JSON object");
  replace(FRAME_HEADER, "{", 1, "not JSON");
  replace_text("\"dimensions\": 2", "\"dimensions\": 4", "found 4 dimensions, expected 1 to 3");
  replace_text("\"dimensions\": 2", "\"dimensions\": \"2\"", "key \"dimensions\": expected a whole number in range");
  replace_text("\"seed\": \"0x0\"", "\"seed\": \"12\"", "key \"seed\"");
  replace_text("\"buffers\": []", "\"buffers\": [{}]", "key \"name\": expected a text");
  replace_text("\"buffers\": []", "\"buffers\": [], \"ir\": [\"ret void\"]", "not one text for each operation");
  replace_text("\"buffers\": []", "\"buffers\": [], \"ir\": {}", "key \"ir\": expected a list of texts");
  replace_text("\"buffers\": []", "\"buffers\": [], \"ir\": [\"a\", 1]", "key \"ir\": expected a list of texts");
  replace_text("\"kernel\": \"kernel\",", "", "key \"kernel\": expected a text");
}

static void containers(void **state) {
  (void)state;
  unsigned char head[16 + 24] = {0x89, 'R', 'T', 'R', 'A', 'C', 'E', '\n', 1};
  FILE *file = fopen(path, "wb");
  head[16] = FRAME_HEADER;
  memset(head + 24, 0xff, 8); /* raw and stored bytes */
  const uint64_t check = text_hash(TEXT_HASH_START, head + 16, 16);
  for (int i = 0; i < 4; i++)
    head[32 + i] = (unsigned char)(check >> 8 * i);
  fwrite(head, 1, sizeof head, file);
  fclose(file);
  expect("frame 0 at byte 16: the payload is longer than the format allows");
  head[8] = 3;
  file = fopen(path, "wb");
  fwrite(head, 1, sizeof head, file);
  fclose(file);
  expect("found trace format version 3.0, expected 1.0 or 2.0");
  file = fopen(path, "wb");
  fputs("__kernel void f() {}\n", file);
  fclose(file);
  expect("not a trace");
}

/* Frames left out, doubled or swapped under right numbers. */
static void order_of_frames(void **state) {
  (void)state;
  struct loose_trace t;
  write_sample();
  loose_trace_read(path, &t);
  struct loose_frame *f = t.frames, saved = f[2];
  assert_int_equal(t.count, 6);
  f[2] = f[3]; /* shapes before paths */
  f[3] = saved;
  loose_trace_write(path, &t);
  expect("frame 2 at byte");
  saved = f[0];
  f[0] = f[1];
  f[1] = saved;
  loose_trace_write(path, &t);
  expect("expected the header");
  loose_trace_clear(&t);
}

static void missing_file(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(read_whole_trace("/nonexistent/a.rtrace", &error), -1);
  assert_string_equal(error.text, "cannot open the trace: No such file or directory");
}

int main(void) {
  const int file = mkstemp(path);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths),           cmocka_unit_test(shapes),       cmocka_unit_test(groups),
      cmocka_unit_test(totals),          cmocka_unit_test(headers),      cmocka_unit_test(containers),
      cmocka_unit_test(order_of_frames), cmocka_unit_test(missing_file),
  };
  if (file < 0)
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
