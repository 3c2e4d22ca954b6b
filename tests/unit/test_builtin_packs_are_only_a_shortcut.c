/* Built-in functions that are kept on disk: traces and results are the same with none, new ones and old ones; whatever
 * does not fit is replaced. */
#include "expect_error.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "emulate_text.h"

static const char pack[] = "builtins/_Z3expf.bc", other[] = "builtins/_Z6sincosfPf.bc";

struct outcome {
  char *trace;
  size_t trace_length;
  float numbers[64];
};

static char *in_cache(const char *name) {
  char *path = text_format("%s/%s", getenv("REASSEMBLE_CACHE"), name);
  assert_non_null(path);
  return path;
}

static struct outcome run(void) {
  struct emulate_text t;
  struct error error = ERROR_INIT;
  struct outcome out;
  char folder[] = "/tmp/builtin-packs-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const struct emulate_options options = {.trace_directory = folder};
  assert_int_equal(emulate_text_run(&t, "packs",
                                    "__kernel void packs(__global float *x) {\n"
                                    "  const int i = get_global_id(0);\n  float c, s = sincos(x[i], &c);\n"
                                    "  x[i] = exp(s) + c;\n}\n",
                                    "buffers:\n  X: {type: float, count: 64, init: uniform, low: 0, high: 3}\n"
                                    "launches:\n  - {kernel: packs, global: 64, local: 16, args: [{buffer: X}]}\n",
                                    &options),
                   0);
  memcpy(out.numbers, t.result.buffers[0], sizeof out.numbers);
  assert_int_equal(file_read(t.result.launches[0].trace_path, 1 << 20, &out.trace, &out.trace_length, &error), 0);
  unlink(t.result.launches[0].trace_path);
  emulate_text_clear(&t);
  rmdir(folder);
  return out;
}

static void expect_the_same(const struct outcome *expected) {
  struct outcome found = run();
  assert_int_equal(found.trace_length, expected->trace_length);
  assert_memory_equal(found.trace, expected->trace, found.trace_length);
  assert_memory_equal(found.numbers, expected->numbers, sizeof found.numbers);
  free(found.trace);
}

static ino_t identity(const char *name) {
  struct stat s;
  char *path = in_cache(name);
  assert_int_equal(stat(path, &s), 0);
  free(path);
  return s.st_ino;
}

static void write_cached(const char *name, const char *data, size_t length) {
  char *path = in_cache(name);
  unlink(path); /* one name only: both are links to one file */
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
  free(path);
}

/* Both functions' packs become `data`; the next run does not take it, but puts the right one in its place. */
static void expect_replaced(const char *data, size_t length, const char *right, size_t right_length,
                            const struct outcome *expected) {
  struct error error = ERROR_INIT;
  char *path = in_cache(pack), *now;
  size_t now_length;
  write_cached(pack, data, length);
  write_cached(other, data, length);
  expect_the_same(expected);
  assert_int_equal(file_read(path, 1 << 20, &now, &now_length, &error), 0);
  assert_int_equal(now_length, right_length);
  assert_memory_equal(now, right, now_length);
  free(now);
  free(path);
}

static void damaged_packs_are_replaced(const struct outcome *expected) {
  struct error error = ERROR_INIT;
  char *path = in_cache(pack), *right;
  size_t length;
  assert_int_equal(file_read(path, 1 << 20, &right, &length, &error), 0);
  char *wrong = malloc(length);
  assert_non_null(wrong);
  for (size_t at = 0; at < length; at += length / 5) { /* the head's first byte, and four in the bitcode */
    memcpy(wrong, right, length);
    wrong[at] ^= 1;
    expect_replaced(wrong, length, right, length, expected);
  }
  expect_replaced(right, length / 2, right, length, expected);
  expect_replaced("", 0, right, length, expected);
  expect_replaced("\n", 1, right, length, expected);
  free(wrong);
  free(right);
  free(path);
}

static void packs_change_nothing(void **state) {
  char folder[] = "/tmp/builtin-cache-XXXXXX";
  assert_non_null(mkdtemp(folder));
  setenv("REASSEMBLE_CACHE", "none", 1);
  struct outcome expected = run();
  setenv("REASSEMBLE_CACHE", folder, 1);
  expect_the_same(&expected); /* makes the pack */
  const ino_t first = identity(pack);
  assert_int_equal(identity(other), first);
  expect_the_same(&expected);
  assert_int_equal(identity(pack), first); /* it was found, or it would have been made again */
  damaged_packs_are_replaced(&expected);
  free(expected.trace);
  const char *const names[] = {pack, other, "builtins", ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = in_cache(names[i]);
    assert_int_equal(remove(path), 0);
    free(path);
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(packs_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
