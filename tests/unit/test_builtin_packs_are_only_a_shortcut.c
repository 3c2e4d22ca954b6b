/* Built-in functions that are kept on disk: traces and results are the same with none, new ones and old ones; whatever
 * does not fit is replaced. */
#include "expect_error.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "emulate_text.h"

#define FILES 3 /* the pack, and the keys of it under the names of two functions */

struct outcome {
  char *trace;
  size_t trace_length;
  float numbers[64];
};

/* A kept program (tracegen/abi/kept_file.h) would need no pack. */
static void forget_kept(const char *kind) {
  char *folder = data_cache(kind);
  DIR *entries = folder ? opendir(folder) : NULL;
  for (struct dirent *e; entries && (e = readdir(entries));)
    if (e->d_name[0] != '.')
      unlinkat(dirfd(entries), e->d_name, 0);
  if (entries)
    closedir(entries);
  if (folder)
    rmdir(folder);
  free(folder);
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
  forget_kept("kernels");
  forget_kept("bitcode");
  return out;
}

static void expect_the_same(const struct outcome *expected) {
  struct outcome found = run();
  assert_int_equal(found.trace_length, expected->trace_length);
  assert_memory_equal(found.trace, expected->trace, found.trace_length);
  assert_memory_equal(found.numbers, expected->numbers, sizeof found.numbers);
  free(found.trace);
}

struct kept {
  char *path, *data;
  size_t length;
  ino_t identity;
};

/* Reads all files of the kind "builtins". */
static void read_cache(struct kept kept[FILES]) {
  char *folder = data_cache("builtins");
  DIR *entries = opendir(folder);
  size_t count = 0;
  assert_non_null(entries);
  for (struct dirent *e; (e = readdir(entries));) {
    struct error error = ERROR_INIT;
    struct stat s;
    if (e->d_name[0] == '.')
      continue;
    assert_true(count < FILES);
    struct kept *one = &kept[count++];
    one->path = text_format("%s/%s", folder, e->d_name);
    assert_int_equal(file_read(one->path, 1 << 20, &one->data, &one->length, &error), 0);
    assert_int_equal(stat(one->path, &s), 0);
    one->identity = s.st_ino;
  }
  assert_int_equal(count, FILES);
  closedir(entries);
  free(folder);
}

static void forget(struct kept kept[FILES]) {
  for (size_t i = 0; i < FILES; i++) {
    free(kept[i].path);
    free(kept[i].data);
  }
}

/* Returns the file of this path. */
static const struct kept *find(const struct kept kept[FILES], const char *path) {
  for (size_t i = 0; i < FILES; i++)
    if (strcmp(kept[i].path, path) == 0)
      return &kept[i];
  fail();
  return NULL;
}

static void write_file(const char *path, const char *data, size_t length, size_t flipped) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (size_t i = 0; i < length; i++)
    assert_true(fputc(data[i] ^ (i == flipped), file) != EOF);
  assert_int_equal(fclose(file), 0);
}

/* The next run puts the right files in place of those that do not fit. */
static void expect_replaced(const struct kept right[FILES], const struct outcome *expected) {
  struct kept now[FILES];
  expect_the_same(expected);
  read_cache(now);
  for (size_t i = 0; i < FILES; i++) {
    const struct kept *found = find(now, right[i].path);
    assert_int_equal(found->length, right[i].length);
    assert_memory_equal(found->data, right[i].data, right[i].length);
  }
  forget(now);
}

/* A run looks for the second function only where the first one's pack lacks it: so all files are damaged at a time. */
static void damage_is_replaced(const struct kept right[FILES], const struct outcome *expected) {
  for (size_t fifth = 0; fifth < 5; fifth++) { /* the first byte, key and data */
    for (size_t i = 0; i < FILES; i++)
      write_file(right[i].path, right[i].data, right[i].length, right[i].length * fifth / 5);
    expect_replaced(right, expected);
  }
  for (size_t part = 0; part < 3; part++) { /* nothing, one byte, one half */
    for (size_t i = 0; i < FILES; i++)
      write_file(right[i].path, right[i].data, part == 2 ? right[i].length / 2 : part, SIZE_MAX);
    expect_replaced(right, expected);
  }
}

/* The pack is the longest file; the functions' files name it. */
static void a_missing_pack_is_replaced(const struct kept right[FILES], const struct outcome *expected) {
  size_t pack = 0;
  for (size_t i = 1; i < FILES; i++)
    if (right[i].length > right[pack].length)
      pack = i;
  assert_int_equal(unlink(right[pack].path), 0);
  expect_replaced(right, expected);
}

static void packs_change_nothing(void **state) {
  char folder[] = "/tmp/builtin-cache-XXXXXX";
  struct kept first[FILES], second[FILES];
  assert_non_null(mkdtemp(folder));
  setenv("REASSEMBLE_CACHE", "none", 1);
  struct outcome expected = run();
  setenv("REASSEMBLE_CACHE", folder, 1);
  expect_the_same(&expected); /* makes the pack */
  read_cache(first);
  expect_the_same(&expected);
  read_cache(second);
  for (size_t i = 0; i < FILES; i++) /* they were found, or they would have been made again */
    assert_int_equal(find(second, first[i].path)->identity, first[i].identity);
  forget(second);
  damage_is_replaced(first, &expected);
  a_missing_pack_is_replaced(first, &expected);
  forget(first);
  free(expected.trace);
  forget_kept("builtins");
  assert_int_equal(rmdir(folder), 0);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(packs_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
