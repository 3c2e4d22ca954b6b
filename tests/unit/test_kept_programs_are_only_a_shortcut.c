/* Compiled kernels that are kept on disk: traces and buffers are the same with none, new ones, old ones and damaged
 * ones, and a source or option that differs in one character finds none. */
#include "expect_error.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tracegen/abi/kept_file.h"
#include "tracegen/lower/codegen/native_image.h"
#include "emulate_text.h"

#define LAUNCHES(kernel, global, local)                                                                                \
  "launches:\n  - {kernel: " kernel ", global: " #global ", local: " #local ", args: [{buffer: X}]}\n"
#define BUFFER "buffers:\n  X: {type: float, count: 65536, init: uniform, low: 0, high: 3}\n"

static const struct {
  const char *name, *source, *body;
  bool kept; /* its native code, too */
} cases[] = {
    {"plain", "__kernel void k(__global float *x) { x[get_global_id(0)] += exp(x[3]); }\n",
     BUFFER LAUNCHES("k", 256, 16), true},
    {"local",
     "__kernel void k(__global float *x) {\n  __local float t[64], u[64];\n  int i = get_global_id(0), l = "
     "get_local_id(0);\n  t[l] = x[i];\n  u[l] = 2 * x[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  float sum = 0;\n  for (int r = 0; r < 60; r++) sum += t[63 - l] + u[(l + r) % 64];\n  x[i] = sum;\n}\n",
     BUFFER LAUNCHES("k", 65536, 64), true},
    {"simd",
     "__kernel void k(__global float *x) {\n  int i = get_global_id(0);\n  float s = x[i];\n"
     "  for (int r = 0; r < 500; r++) s = s * 0.5f + x[r];\n  x[i] = s;\n}\n",
     BUFFER LAUNCHES("k", 65536, 64), true},
    {"branches",
     "float part(float a, int n) { float p[8]; for (int j = 0; j < 8; j++) p[j] = a + j; return p[n & 7]; }\n"
     "__kernel void k(__global float *x) {\n  int i = get_global_id(0);\n  if (x[i] > 1.5f) x[i] = part(x[i], i);\n"
     "  else x[i] /= 3;\n}\n",
     BUFFER LAUNCHES("k", 1024, 32), true},
    {"constants",
     "__constant float table[] = {3, 1, 4, 1};\n"
     "__kernel void k(__global float *x) { x[get_global_id(0)] += table[get_global_id(0) % 4]; }\n",
     BUFFER LAUNCHES("k", 256, 16), false},
    {"unclear",
     "__kernel void k(__global float *x) {\n  int i = get_global_id(0);\n  float v;\n  if (i < 300) v = x[i];\n"
     "  x[i] = v;\n}\n",
     BUFFER LAUNCHES("k", 256, 16), true},
};
#define CASES (sizeof cases / sizeof *cases)

struct outcome {
  char *trace;
  size_t trace_length;
  char *buffer;
};

static struct worker_pool *pool; /* NULL: as for a workload; else as for a program's launch */

static struct outcome run(const char *name, const char *source, const char *body, const char *options) {
  struct emulate_text t;
  struct error error = ERROR_INIT;
  struct outcome out = {0};
  char folder[] = "/tmp/kept-programs-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const struct emulate_options own = {.trace_directory = folder, .pool = pool};
  char *whole = text_format("%s%s", options, body);
  assert_non_null(whole);
  if (emulate_text_run(&t, name, source, whole, &own))
    fail_msg("%s: %s", name, t.error.text);
  const size_t bytes = t.workload->buffers[0].count * 4;
  out.buffer = malloc(bytes);
  assert_non_null(out.buffer);
  memcpy(out.buffer, t.result.buffers[0], bytes);
  assert_int_equal(file_read(t.result.launches[0].trace_path, 1 << 26, &out.trace, &out.trace_length, &error), 0);
  unlink(t.result.launches[0].trace_path);
  emulate_text_clear(&t);
  rmdir(folder);
  free(whole);
  return out;
}

static void clear(struct outcome *o) {
  free(o->trace);
  free(o->buffer);
}

static void expect_the_same(size_t i, const struct outcome *expected) {
  struct outcome found = run(cases[i].name, cases[i].source, cases[i].body, "");
  assert_int_equal(found.trace_length, expected->trace_length);
  assert_memory_equal(found.trace, expected->trace, found.trace_length);
  assert_memory_equal(found.buffer, expected->buffer, 65536 * 4);
  clear(&found);
}

/* The same, in a worker of a pool, which also keeps code for SIMD groups. */
static void expect_the_same_of_a_pool(size_t i, const struct outcome *expected) {
  pool = worker_pool_create();
  expect_the_same(i, expected);
  worker_pool_destroy(pool);
  pool = NULL;
}

/* Calls `each` for every file that is kept of a kind. Returns how many there are. */
static size_t for_kept(const char *kind, void (*each)(const char *path)) {
  size_t count = 0;
  char *folder = data_cache(kind);
  DIR *entries = opendir(folder);
  for (struct dirent *e; entries && (e = readdir(entries));)
    if (e->d_name[0] != '.') {
      char *path = text_format("%s/%s", folder, e->d_name);
      if (each)
        each(path);
      count++;
      free(path);
    }
  if (entries)
    closedir(entries);
  free(folder);
  return count;
}

static void damage(const char *path) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, -3, SEEK_END), 0);
  const int last = getc(file);
  assert_int_equal(fseek(file, -3, SEEK_END), 0);
  assert_true(putc(last ^ 1, file) != EOF);
  assert_int_equal(fclose(file), 0);
}

static void shorten(const char *path) {
  assert_int_equal(truncate(path, 200), 0);
}

static void let_others_write(const char *path) {
  assert_int_equal(chmod(path, 0666), 0);
}

static void forget(const char *path) {
  assert_int_equal(unlink(path), 0);
}

static void begin_cache(char folder[]) {
  assert_non_null(mkdtemp(folder));
  setenv("REASSEMBLE_CACHE", folder, 1);
}

/* Removes a cache with all that is kept in it. */
static void end_cache(const char *folder) {
  static const char *const kinds[] = {"bitcode", "builtins", "kernels", "some"};
  setenv("REASSEMBLE_CACHE", folder, 1);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for_kept(kinds[i], forget);
    char *path = data_cache(kinds[i]);
    rmdir(path); /* unless it was not made */
    free(path);
  }
  assert_int_equal(rmdir(folder), 0);
}

static void programs_change_nothing(void **state) {
  static void (*const spoil[])(const char *) = {damage, shorten, let_others_write};
  char folder[] = "/tmp/kept-cache-XXXXXX";
  begin_cache(folder);
  for (size_t i = 0; i < CASES; i++) {
    setenv("REASSEMBLE_CACHE", "none", 1);
    struct outcome expected = run(cases[i].name, cases[i].source, cases[i].body, "");
    setenv("REASSEMBLE_CACHE", folder, 1);
    expect_the_same(i, &expected); /* keeps them */
    assert_int_equal(for_kept("bitcode", NULL), 1);
    assert_int_equal(for_kept("kernels", NULL), cases[i].kept);
    expect_the_same(i, &expected); /* finds them */
    expect_the_same_of_a_pool(i, &expected);
    expect_the_same_of_a_pool(i, &expected);
    assert_int_equal(for_kept("kernels", NULL), 2 * cases[i].kept);
    for (size_t k = 0; k < sizeof spoil / sizeof *spoil; k++) {
      for_kept("kernels", spoil[k]);
      expect_the_same(i, &expected);
      for_kept("bitcode", spoil[k]);
      expect_the_same(i, &expected);
    }
    for_kept("kernels", forget);
    for_kept("bitcode", forget);
    clear(&expected);
  }
  end_cache(folder);
  (void)state;
}

/* Kernels that differ in an option alone leave two programs behind, and each finds its own. */
static void options_are_part_of_the_key(void **state) {
  static const char source[] = "__kernel void k(__global float *x) { x[get_global_id(0)] = N; }\n";
  char folder[] = "/tmp/kept-cache-XXXXXX";
  begin_cache(folder);
  for (int round = 0; round < 2; round++)
    for (int n = 1; n <= 2; n++) {
      struct outcome found =
          run("options", source, BUFFER LAUNCHES("k", 256, 16), n == 1 ? "options: -D N=1\n" : "options: -D N=2\n");
      assert_true(*(const float *)found.buffer == (float)n);
      clear(&found);
      assert_int_equal(for_kept("kernels", NULL), round == 0 ? n : 2);
    }
  end_cache(folder);
  (void)state;
}

/* Launches of other sizes share a program, unless another tier of code serves kernels with loops of some depth: of
 * 1,024 launches of at most 16, 192 and 12,288 work-items. */
static void sizes_share_programs(void **state) {
  static const char source[] = "__kernel void k(__global float *x) { x[get_global_id(0)] = exp(x[0]); }\n";
  static const struct {
    const char *launch;
    size_t programs;
  } sizes[] = {{LAUNCHES("k", 16, 16), 1},    {LAUNCHES("k", 192, 16), 2},   {LAUNCHES("k", 208, 16), 3},
               {LAUNCHES("k", 4096, 16), 3},  {LAUNCHES("k", 12288, 16), 3}, {LAUNCHES("k", 12304, 16), 4},
               {LAUNCHES("k", 65536, 16), 4}, {LAUNCHES("k", 176, 16), 4}};
  char folder[] = "/tmp/kept-cache-XXXXXX";
  begin_cache(folder);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *body = text_format("%s%s", BUFFER, sizes[i].launch);
    assert_non_null(body);
    pool = worker_pool_create();
    struct outcome found = run("sizes", source, body, "");
    clear(&found);
    worker_pool_destroy(pool);
    pool = NULL;
    free(body);
    assert_int_equal(for_kept("kernels", NULL), sizes[i].programs);
  }
  end_cache(folder);
  (void)state;
}

static void a_key_finds_its_own_data_alone(void **state) {
  struct kept_data found;
  char folder[] = "/tmp/kept-cache-XXXXXX";
  begin_cache(folder);
  assert_false(kept_file_find("some", "key", 3, &found));
  kept_file_put("some", "key", 3, "data\n1", 6);
  kept_file_put("some", "kez", 3, "", 0);
  assert_true(kept_file_find("some", "key", 3, &found));
  assert_int_equal(found.length, 6);
  assert_memory_equal(found.data, "data\n1", 6);
  free(found.memory);
  assert_true(kept_file_find("some", "kez", 3, &found));
  assert_int_equal(found.length, 0);
  free(found.memory);
  assert_false(kept_file_find("some", "ke", 2, &found));
  assert_false(kept_file_find("other", "key", 3, &found));
  end_cache(folder);
  (void)state;
}

#ifdef __x86_64__
static size_t images; /* that native_image_load has returned */

static void try_image(const char *object, size_t length) {
  struct native_image *image = native_image_load(object, length);
  images += image != NULL;
  if (image)
    native_image_find(image, "reassemble.run");
  native_image_destroy(image);
}

/* Tries the object file in a file that is kept, whole, cut off and with damage in each place of its tables. */
static void try_images(const char *path) {
  struct error error = ERROR_INIT;
  char *data;
  size_t length;
  assert_int_equal(file_read(path, 1 << 26, &data, &length, &error), 0);
  char *object = memmem(data, length, "\177ELF", 4);
  assert_non_null(object);
  const size_t bytes = length - (size_t)(object - data);
  try_image(object, bytes);
  assert_int_equal(images, 1);
  for (size_t i = 0; i < bytes; i += 1 + bytes / 2048) {
    try_image(object, i);
    object[i] ^= (char)0x80;
    try_image(object, bytes);
    object[i] ^= (char)0x80;
  }
  assert_in_range(images, 2, 4096); /* code may be damaged, tables may not */
  free(data);
}

static void damaged_objects_do_no_harm(void **state) {
  char folder[] = "/tmp/kept-cache-XXXXXX";
  begin_cache(folder);
  struct outcome found = run(cases[1].name, cases[1].source, cases[1].body, "");
  clear(&found);
  assert_int_equal(for_kept("kernels", try_images), 1);
  end_cache(folder);
  (void)state;
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_key_finds_its_own_data_alone), cmocka_unit_test(programs_change_nothing),
#ifdef __x86_64__
      cmocka_unit_test(damaged_objects_do_no_harm),
#endif
      cmocka_unit_test(options_are_part_of_the_key), cmocka_unit_test(sizes_share_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
