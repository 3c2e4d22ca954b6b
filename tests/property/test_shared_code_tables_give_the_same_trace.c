/* A trace that has its code table in common with another one is read as it was before; it names its owner, and is
 * refused with the place where the owner is absent, another one, shares itself, or is in another folder. */
#include "expect_error.h"

#include "base/file.h"
#include "emulate_text.h"
#include "trace/format/frame.h"
#include "trace/read/reader.h"
#include "trace/write/share_code.h"

#define KERNEL                                                                                                         \
  "__kernel void k(__global const float *a, __global float *o, int n) {\n  const size_t g = get_global_id(0);\n"       \
  "  float s = 0;\n  for (int i = 0; i < n + (int)(g % 3); i++)\n    s += a[g + i];\n  o[g] = s;\n}\n"
#define BODY(count, n)                                                                                                 \
  "buffers:\n  A: {type: float, count: 4096, init: uniform}\n  O: {type: float, count: " count                         \
  ", init: zero}\nlaunches:\n  - {kernel: k, global: " count ", local: 16, args: [{buffer: A}, {buffer: O}, {int: " n  \
  "}]}\n"

static void write_trace(const char *name, const char *kernel, const char *body) {
  const struct emulate_options options = {.trace_directory = "shared", .trace_name = name};
  struct emulate_text t;
  if (emulate_text_run(&t, "shared-code", kernel, body, &options))
    fail_msg("%s", t.error.text);
  emulate_text_clear(&t);
}

/* Appends what a trace holds to a text, group by group. */
static char *shown(const char *path) {
  struct trace_reader *reader;
  struct trace_group group = {0};
  struct error error = ERROR_INIT;
  char *text = NULL;
  size_t length;
  if (trace_reader_open(path, &reader, &error))
    fail_msg("%s", error.text);
  FILE *out = open_memstream(&text, &length);
  const struct trace *t = trace_reader_trace(reader);
  int more;
  while ((more = trace_reader_next(reader, &group, &error)) > 0)
    fprintf(out, "group %u shape %u\n", group.id, group.shape);
  assert_int_equal(more, 0);
  fprintf(out, "%s %s %s %s %s %s %u %u of %u\n", t->header.kernel, t->header.workload, t->header.source_file,
          t->header.source_digest, t->header.options, t->header.front_end, t->header.buffer_count, t->header.registers,
          t->header.ir_count);
  for (uint32_t i = 0; i < t->header.ir_count; i++)
    fprintf(out, "%s\n", t->header.ir[i]);
  for (uint32_t i = 0; i < t->code.op_count; i++)
    fprintf(out, "%d %d %u line %u\n", t->code.ops[i].op_class, t->code.ops[i].type, t->code.ops[i].bytes,
            t->code.ops[i].line);
  fprintf(out, "%u blocks, %u paths, %u shapes, %llu instructions\n", t->code.block_count, t->path_count,
          t->shape_count, (unsigned long long)t->work_item_instructions);
  assert_null(t->header.code_of);
  fclose(out);
  trace_reader_close(reader);
  return text;
}

static uint64_t length_of(const char *path) {
  char *bytes;
  size_t length;
  struct error error = ERROR_INIT;
  assert_int_equal(file_read(path, 1 << 24, &bytes, &length, &error), 0);
  free(bytes);
  return length;
}

static void share(const char *path, const char *owner, bool expected) {
  struct error error = ERROR_INIT;
  const uint64_t before = length_of(path);
  uint64_t bytes = 0;
  if (trace_share_code(path, owner, &bytes, &error))
    fail_msg("%s", error.text);
  assert_int_equal(bytes > 0, expected);
  assert_int_equal(length_of(path), expected ? bytes : before);
  assert_true(!expected || bytes < before);
}

static void shared_traces_are_read_as_before(void **state) {
  write_trace("one", KERNEL, BODY("256", "7"));
  write_trace("two", KERNEL, BODY("512", "90"));
  write_trace("three", KERNEL "__kernel void other(__global float *o) {\n  o[0] = 1;\n}\n", BODY("64", "1"));
  write_trace("other", "__kernel void k(__global const float *a, __global float *o, int n) {\n  o[0] = a[n];\n}\n",
              BODY("64", "1"));
  static const char *const names[] = {"shared/two.rtrace", "shared/three.rtrace"};
  for (int i = 0; i < 2; i++) {
    char *before = shown(names[i]);
    share(names[i], "shared/one.rtrace", true);
    char *after = shown(names[i]);
    assert_string_equal(before, after);
    free(before);
    free(after);
  }
  share("shared/other.rtrace", "shared/one.rtrace", false);
  share("shared/two.rtrace", "shared/one.rtrace", false); /* it has no table of its own any more */
  share("shared/one.rtrace", "shared/two.rtrace", false);
  (void)state;
}

static void expect_refused(const char *path, const char *words) {
  struct trace_reader *reader;
  struct error error = ERROR_INIT;
  assert_int_equal(trace_reader_open(path, &reader, &error), -1);
  if (!strstr(error.text, words))
    fail_msg("%s: expected \"%s\"", error.text, words);
}

static void a_missing_or_wrong_owner_is_named(void **state) {
  write_trace("owner", KERNEL, BODY("256", "7"));
  write_trace("shares", KERNEL, BODY("256", "3"));
  share("shared/shares.rtrace", "shared/owner.rtrace", true);
  assert_int_equal(rename("shared/owner.rtrace", "shared/kept.rtrace"), 0);
  expect_refused("shared/shares.rtrace", "owner.rtrace: there is no such file");
  write_trace("owner", "__kernel void k(__global const float *a, __global float *o, int n) {\n  o[n] = a[0];\n}\n",
              BODY("64", "1"));
  expect_refused("shared/shares.rtrace", "owner.rtrace: it has another code table");
  assert_int_equal(rename("shared/shares.rtrace", "shared/owner.rtrace"), 0); /* now it names itself */
  expect_refused("shared/owner.rtrace", "owner.rtrace: it has no code table of its own");
  (void)state;
}

/* Writes a trace of a header and a code frame. */
static void expect_header_refused(const char *member, const char *words) {
  struct frame_writer w = {0};
  struct error error = ERROR_INIT;
  char json[1000];
  FILE *out = fopen("shared/loose.rtrace", "wb");
  snprintf(json, sizeof json,
           "{\"workload\": \"\", \"launch\": 0, \"dimensions\": 1, \"global\": [1, 1, 1], \"offset\": [0, 0, 0], "
           "\"local\": [1, 1, 1], \"seed\": \"0x1\", \"local_bytes\": 0, \"private_bytes\": 0, \"registers\": 0, "
           "\"buffers\": [], %s}",
           member);
  assert_int_equal(frame_writer_begin(&w, out, &error), 0);
  assert_int_equal(frame_write(&w, FRAME_HEADER, json, strlen(json), &error), 0);
  assert_int_equal(frame_write(&w, FRAME_CODE, "12345678", 8, &error), 0);
  frame_writer_clear(&w);
  fclose(out);
  expect_refused("shared/loose.rtrace", words);
}

static void names_stay_in_the_folder(void **state) {
  expect_header_refused("\"code_of\": \"../one.rtrace\"", "the name of a file in the same folder");
  expect_header_refused("\"code_of\": \".\"", "the name of a file in the same folder");
  expect_header_refused("\"code_of\": 7", "the name of a file in the same folder");
  expect_header_refused("\"code_of\": \"one.rtrace\", \"ir\": [\"x\"]", "no listing beside");
  expect_header_refused("\"code_of\": \"one.rtrace\"", "one.rtrace: it has another code table");
  expect_header_refused("\"code_of\": \"loose.rtrace\"", "loose.rtrace: it has no code table of its own");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_traces_are_read_as_before),
                                     cmocka_unit_test(a_missing_or_wrong_owner_is_named),
                                     cmocka_unit_test(names_stay_in_the_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
