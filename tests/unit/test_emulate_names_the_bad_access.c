/* Mistakes of kernels: the message has kernel, line, work-item, buffer and offset, and no trace is left. */
#include "expect_error.h"

#include <dirent.h>
#include <sys/stat.h>

#include "emulate_text.h"

#define A            "buffers:\n  A: {type: float, count: 64, init: index}\n  B: {type: int, count: 64, init: index}\n"
#define LAUNCH(args) A "launches:\n  - {kernel: k, global: 16, local: 8, args: [" args "]}\n"

struct bad_kernel {
  const char *kernel, *body, *message;
};

static const struct bad_kernel cases[] = {
    {"__kernel void k(__global float *a, int n) {\n  a[get_global_id(0) * n] = 1;\n}\n",
     LAUNCH("{buffer: A}, {int: 5}"),
     "bad.cl:2: kernel k, work-item (13, 0, 0): store of 4 bytes at byte offset 260 of buffer \"A\" (argument 1, a), "
     "which "
     "holds 256 bytes"},
    {"__kernel void k(__global float *a, int n) {\n  a[0] = a[(int)get_global_id(0) - n];\n}\n",
     LAUNCH("{buffer: A}, {int: 3}"),
     "bad.cl:2: kernel k, work-item (0, 0, 0): load of 4 bytes at byte offset -12 of buffer \"A\" (argument 1, a), "
     "which "
     "holds 256 bytes"},
    /* A byte behind the end: elements that are larger would be misaligned there. */
    {"__kernel void k(__global uchar *a, int n) {\n  a[get_global_id(0) + n] = 1;\n}\n",
     LAUNCH("{buffer: B}, {int: 241}"),
     "bad.cl:2: kernel k, work-item (15, 0, 0): store of 1 bytes at byte offset 256 of buffer \"B\" (argument 1, a), "
     "which holds 256 bytes"},
    {"__kernel void k(__global float *a, __global float *b, int n) {\n  if (b || n)\n    a[0] = b[n];\n}\n",
     LAUNCH("{buffer: A}, {buffer: null}, {int: 1}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): load of 4 bytes of global memory through a null pointer"},
    {"__kernel void k(__global float *a, __global float *b, int n) {\n  if (b || n)\n    b[n] = a[0];\n}\n",
     LAUNCH("{buffer: A}, {buffer: null}, {int: 100000}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): store of 4 bytes of global memory through a null pointer"},
    {"__kernel void k(__global float4 *a) {\n  a[get_global_id(0) + 1] = 1;\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k, work-item (15, 0, 0): store of 16 bytes at byte offset 256 of buffer \"A\" (argument 1, a), "
     "which holds 256 bytes"},
    {"__kernel void k(__global float *a) {\n  vstore2(a[0], get_global_id(0) + 20, a);\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k, work-item (12, 0, 0): store of 8 bytes at byte offset 256 of buffer \"A\" (argument 1, a), "
     "which holds 256 bytes"},
    {"__kernel void k(__global int *b) {\n  atomic_inc(b + 60 + get_global_id(0));\n}\n", LAUNCH("{buffer: B}"),
     "bad.cl:2: kernel k, work-item (4, 0, 0): atomic operation of 4 bytes at byte offset 256 of buffer \"B\" "
     "(argument 1, "
     "b), which holds 256 bytes"},
    {"__kernel void k(__global float *a) {\n  __local float t[8];\n  int i = get_local_id(0);\n  t[i] = a[i];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = t[i + 2];\n}\n",
     LAUNCH("{buffer: A}"),
     "bad.cl:6: kernel k, work-item (6, 0, 0): load of 4 bytes at byte offset 32 of local variable \"k.t\", which "
     "holds 32 "
     "bytes"},
    {"__kernel void k(__global float *a, __local float *t) {\n  t[get_local_id(0)] = a[0];\n}\n",
     LAUNCH("{buffer: A}, {local: 16}"),
     "bad.cl:2: kernel k, work-item (4, 0, 0): store of 4 bytes at byte offset 16 of local memory \"t\" (argument 2, "
     "t), "
     "which holds 16 bytes"},
    {"__constant float c[3] = {1, 2, 3};\n__kernel void k(__global float *a, int n) {\n  a[0] = c[n];\n}\n",
     LAUNCH("{buffer: A}, {int: 3}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): load of 4 bytes at byte offset 12 of constant variable \"c\", which "
     "holds "
     "12 bytes"},
    {"__kernel void k(__global float *a, __global float *b, int n) {\n  __global float *p = n > 100 ? a : b;\n"
     "  p[n] = 1;\n}\n",
     LAUNCH("{buffer: A}, {buffer: B}, {int: 64}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): store of 4 bytes of global memory lies in no buffer"},
    {"__kernel void k(__global float *a) {\n  if (get_local_id(0) < 3)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  a[0] = "
     "1;\n}\n",
     LAUNCH("{buffer: A}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): waits for ever at this barrier, which all work-items of the work-group "
     "must "
     "reach; waiting: (0, 0, 0) (1, 0, 0) (2, 0, 0); finished: (3, 0, 0) (4, 0, 0) (5, 0, 0) (6, 0, 0) (7, 0, 0)"},
    {"__kernel void k(__global float *a) {\n  printf(\"%f %d\", a[0]);\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k: printf: the format has 2 conversions, the call only 1 arguments for them"},
    {"__kernel void k(__global float *a) {\n  printf(\"%d\", a[0]);\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k: printf: conversion \"%d\" of the format prints an integer; found a floating-point number"},
    {"__kernel void k(__global float4 *a) {\n  printf(\"%v3hlf\", a[0]);\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k: printf: conversion \"%v3hlf\" of the format prints 3 elements; found 4"},
    {"__kernel void k(__global float4 *a) {\n  printf(\"%v4hf\", a[0]);\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2: kernel k: printf: conversion \"%v4hf\" of the format prints elements of 2 bytes; found elements of 4 "
     "bytes"},
    {"__kernel void k(__global int *b) {\n  printf(\"%s\", b);\n}\n", LAUNCH("{buffer: B}"),
     "bad.cl:2: kernel k: printf: conversion \"%s\" prints string literals only (OpenCL C, 6.12.13)"},
    {"__kernel void k(__global int *b) {\n  printf(b[0] ? \"a\" : \"b\");\n}\n", LAUNCH("{buffer: B}"),
     "bad.cl:2: kernel k: the format of printf must be a string literal (OpenCL C, 6.12.13)"},
    {"__kernel void k(__global int4 *b) {\n  int4 x = b[get_global_id(0)];\n  b[0] = x / (x - 22);\n}\n",
     LAUNCH("{buffer: B}"), "bad.cl:3: kernel k, work-item (5, 0, 0): integer division by zero"},
    {"__kernel void k(__global uchar *b) {\n  b[0] = 7 % (uchar)(b[get_global_id(0)] & 3);\n}\n", LAUNCH("{buffer: B}"),
     "bad.cl:2: kernel k, work-item (0, 0, 0): integer division by zero"},
    /* Divisions that the optimiser knows to be wrong, and removes. */
    {"__kernel void k(__global int *b) {\n  int i = get_global_id(0);\n  b[i] = b[i] / 0;\n}\n", LAUNCH("{buffer: B}"),
     "bad.cl:3: kernel k, work-item (0, 0, 0): integer division by zero"},
    {"int f(int x) {\n  return x / (x - 7);\n}\n__kernel void k(__global int *b) {\n  int i = get_global_id(0);\n"
     "  if (i == 7)\n    b[i] = f(i);\n}\n",
     LAUNCH("{buffer: B}"), "bad.cl:2: kernel k, work-item (7, 0, 0): integer division by zero"},
    {"__kernel void k(__global uint4 *b) {\n  uint4 x = b[0], zero = x & 0;\n  if (get_global_id(0) > 2)\n"
     "    b[0] = x % zero;\n}\n",
     LAUNCH("{buffer: B}"), "bad.cl:4: kernel k, work-item (3, 0, 0): integer division by zero"},
    {"__kernel void k(__global int *b) {\n  if (get_local_id(0) & 1)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  else\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n  b[0] = 1;\n}\n",
     LAUNCH("{buffer: B}"),
     "bad.cl:5: kernel k, work-item (0, 0, 0): waits for ever at this barrier, which all work-items of the work-group "
     "must "
     "reach; waiting: (0, 0, 0) (2, 0, 0) (4, 0, 0) (6, 0, 0); at the barrier in line 3: (1, 0, 0) (3, 0, 0) (5, 0, 0) "
     "(7, 0, 0)"},
    {"__kernel void k(__global float *a) {\n  a[0] = 1\n}\n", LAUNCH("{buffer: A}"),
     "bad.cl:2:11: error: expected ';' after expression (kernel source)\n  a[0] = 1\n          ^"},
    {"__kernel void multiply(__global float *a) {\n}\n__kernel void multiple(__global float *a) {\n}\n",
     LAUNCH("{buffer: A}"), "bad.yaml:8:5: bad.cl defines no kernel \"k\" (its kernels: multiply, multiple)"},
    {"__kernel void gemm(__global float *a) {\n}\n", A "launches: [{kernel: gmem, global: 1, local: 1}]\n",
     "bad.yaml:7:12: bad.cl defines no kernel \"gmem\"; did you mean \"gemm\"? (its kernels: gemm)"},
    {"__kernel void k(__global float *a, float x) {\n}\n", LAUNCH("{buffer: A}"),
     "bad.yaml:8:5: args: kernel k(float* a, float x) takes 2 arguments; found 1"},
    {"__kernel void k(__global float *a, float x) {\n}\n", LAUNCH("{buffer: A}, {int: 1}"),
     "bad.yaml:8:59: args: argument 2 of kernel k is \"float x\"; found a value of type int"},
    {"__kernel void k(__local float *a) {\n}\n", LAUNCH("{buffer: A}"),
     "bad.yaml:8:46: args: argument 1 of kernel k is \"__local float* a\"; found buffer A (float)"},
    {"__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(__global float *a) {\n}\n", LAUNCH("{buffer: A}"),
     "bad.yaml:8:5: local: kernel k has __attribute__((reqd_work_group_size(4, 1, 1))); found local size 8, 1, 1"},
};

static int files_in(const char *folder) {
  int count = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && (e = readdir(dir));)
    count += e->d_name[0] != '.';
  if (dir)
    closedir(dir);
  return count;
}

static void each_mistake_has_its_message(void **state) {
  const struct emulate_options options = {.trace_directory = "bad-traces"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct emulate_text t;
    assert_int_equal(emulate_text_run(&t, "bad", cases[i].kernel, cases[i].body, &options), -1);
    expect_error(&t.error, cases[i].message);
    assert_int_equal(t.error.kind, strstr(cases[i].message, "work-item") ? ERROR_WORK : ERROR_INPUT);
    assert_int_equal(files_in("bad-traces"), 0);
    emulate_text_clear(&t);
  }
  (void)state;
}

#define ENDLESS(seconds)                                                                                               \
  "endless.cl:2: kernel k, work-item (0, 0, 0): was stopped here, because the launch took more than " seconds          \
  " s; a higher --timeout allows more (or does this loop never end? One that waits for a later work-group does not)"
#define ENDED_FROM_OUTSIDE(seconds)                                                                                    \
  "running kernel k took more than " seconds " s and was stopped; a higher --timeout allows more"

/* A busy machine may not get to the loop within the first. */
static const struct {
  double seconds;
  const char *message, *from_outside;
} limits[] = {
    {0.1, ENDLESS("0.1"), ENDED_FROM_OUTSIDE("0.1")},
    {1, ENDLESS("1"), ENDED_FROM_OUTSIDE("1")},
    {10, ENDLESS("10"), ENDED_FROM_OUTSIDE("10")},
};

/* The thread sanitizer may hold the signal back from code that it did not make: there the launch may end from outside.
 */
static const char *said_of_an_endless_kernel(size_t limit, const struct error *error) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  if (strstr(error->text, "running kernel"))
    return limits[limit].from_outside;
#endif
#endif
  (void)error;
  return limits[limit].message;
}

static void an_endless_kernel_is_stopped(void **state) {
  bool reached = false;
  for (size_t i = 0; i < 3 && !reached; i++) {
    const struct emulate_options options = {.timeout_s = limits[i].seconds, .trace_directory = "bad-traces"};
    struct emulate_text t;
    assert_int_equal(emulate_text_run(&t, "endless",
                                      "__kernel void k(__global volatile float *a) {\n  while (a[0] == 0)\n    ;\n}\n",
                                      LAUNCH("{buffer: A}"), &options),
                     -1);
    assert_int_equal(t.error.kind, ERROR_WORK);
    reached = t.error.line == 2;
    if (reached || i == 2)
      expect_error(&t.error, said_of_an_endless_kernel(i, &t.error));
    assert_int_equal(files_in("bad-traces"), 0);
    emulate_text_clear(&t);
  }
  (void)state;
}

static void traces_of_launches_before_the_mistake_stay(void **state) {
  const struct emulate_options options = {.trace_directory = "bad-traces"};
  struct emulate_text t;
  assert_int_equal(emulate_text_run(&t, "later", "__kernel void k(__global float *a, int n) { a[n] = 1; }\n",
                                    A "launches:\n  - {kernel: k, global: 1, local: 1, args: [{buffer: A}, {int: 1}]}\n"
                                      "  - {kernel: k, global: 1, local: 1, args: [{buffer: A}, {int: 64}]}\n",
                                    &options),
                   -1);
  assert_int_equal(files_in("bad-traces"), 1);
  assert_int_equal(unlink("bad-traces/later.0.rtrace"), 0);
  emulate_text_clear(&t);
  (void)state;
}

static void a_failed_check_is_told_and_leaves_no_trace(void **state) {
  const struct emulate_options options = {.trace_directory = "bad-traces", .check = true};
  struct emulate_text t;
  assert_int_equal(
      emulate_text_run(
          &t, "unequal",
          "__kernel void k(__global float *a) { a[get_global_id(0)] *= 2; }\n"
          "__kernel void c(__global float *e) { for (int i = 0; i < 64; i++) e[i] = i < 5 ? 2 * i : i; }\n",
          "buffers:\n  A: {type: float, count: 64, init: index}\n  E: {type: float, count: 64}\n"
          "launches:\n  - {kernel: k, global: 64, local: 8, args: [{buffer: A}]}\n"
          "checks:\n  - {kernel: c, args: [{buffer: E}], compare: [{buffer: A, expected: E, ulps: 1}]}\n",
          &options),
      -1);
  assert_int_equal(t.error.kind, ERROR_WORK);
  expect_error(&t.error,
               "unequal.yaml:10:5: checks: workload unequal fails its check: buffer A[5] is 10; kernel c expects 5 "
               "(difference 5, allowed: 1 ulps or 0)");
  assert_int_equal(files_in("bad-traces"), 0);
  emulate_text_clear(&t);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_mistake_has_its_message),
      cmocka_unit_test(an_endless_kernel_is_stopped),
      cmocka_unit_test(traces_of_launches_before_the_mistake_stay),
      cmocka_unit_test(a_failed_check_is_told_and_leaves_no_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
