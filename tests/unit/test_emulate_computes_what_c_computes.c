/* Results are bit-equal to the same arithmetic in C; the same workload gives the same bytes; no file is needed. */
#include "expect_error.h"

#include <math.h>

#include "base/file.h"
#include "emulate_text.h"

#define N 32

static void matrix_product_is_bit_equal(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(
      emulate_text_run(&t, "product",
                       "__kernel void product(__global const float *a, __global const float *b, __global float "
                       "*c, int n) {\n"
                       "  int x = get_global_id(0), y = get_global_id(1);\n  float s = 0;\n"
                       "  for (int k = 0; k < n; k++)\n    s += a[y * n + k] * b[k * n + x];\n"
                       "  c[y * n + x] = s;\n}\n",
                       "buffers:\n  A: {type: float, count: 1024, init: uniform, low: -1, high: 1}\n"
                       "  B: {type: float, count: 1024, init: uniform, low: -1, high: 1}\n"
                       "  C: {type: float, count: 1024}\n"
                       "launches:\n  - {kernel: product, global: [32, 32], local: [8, 4], args: [{buffer: A}, "
                       "{buffer: B}, {buffer: C}, {int: 32}]}\n",
                       &options),
      0);
  const float *a = t.result.buffers[0], *b = t.result.buffers[1], *c = t.result.buffers[2];
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      float s = 0;
      for (int k = 0; k < N; k++)
        s += a[y * N + k] * b[k * N + x];
      assert_memory_equal(&s, &c[y * N + x], sizeof s);
    }
  assert_null(t.result.launches[0].trace_path);
  assert_true(t.result.launches[0].work_item_instructions > N * N * N * 10);
  emulate_text_clear(&t);
  (void)state;
}

/* A sum over the work-group in a tree: every step needs the barrier of the step before. */
static void barriers_order_local_memory(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(
      emulate_text_run(&t, "tree",
                       "__kernel void tree(__global const int *x, __global int *sums, __local int *t) {\n"
                       "  int i = get_local_id(0);\n  t[i] = x[get_global_id(0)];\n"
                       "  for (int h = get_local_size(0) / 2; h > 0; h /= 2) {\n"
                       "    barrier(CLK_LOCAL_MEM_FENCE);\n    if (i < h)\n      t[i] += t[i + h];\n  }\n"
                       "  if (i == 0)\n    sums[get_group_id(0)] = t[0];\n}\n",
                       "buffers:\n  X: {type: int, count: 512, init: index}\n  S: {type: int, count: 4}\n"
                       "launches:\n  - {kernel: tree, global: 512, local: 128, args: [{buffer: X}, {buffer: "
                       "S}, {local: 512}]}\n",
                       &options),
      0);
  const int *sums = t.result.buffers[1];
  for (int g = 0; g < 4; g++)
    assert_int_equal(sums[g], 128 * (128 * g) + 127 * 128 / 2);
  emulate_text_clear(&t);
  (void)state;
}

/* The one quotient that does not fit wraps around; the host's processor would raise an exception. */
static void the_least_integer_divided_by_minus_one_wraps(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(emulate_text_run(&t, "wrap",
                                    "__kernel void wrap(__global int *x, __global long *y, int d) {\n"
                                    "  x[0] = x[0] << 31;\n  x[1] = x[0] / d;\n  x[2] = x[0] % d;\n"
                                    "  x[3] = (x[0] + 1) / d;\n  y[0] = (y[0] << 63) / d;\n}\n",
                                    "buffers:\n  X: {type: int, count: 4, init: uniform, low: 1, high: 1}\n"
                                    "  Y: {type: long, count: 1, init: uniform, low: 1, high: 1}\n"
                                    "launches:\n  - {kernel: wrap, global: 1, local: 1, args: [{buffer: X}, {buffer: "
                                    "Y}, {int: -1}]}\n",
                                    &options),
                   0);
  const int *x = t.result.buffers[0];
  const long long *y = t.result.buffers[1];
  assert_int_equal(x[1], INT32_MIN);
  assert_int_equal(x[2], 0);
  assert_int_equal(x[3], INT32_MAX);
  assert_true(*y == INT64_MIN);
  emulate_text_clear(&t);
  (void)state;
}

static void queries_answer_as_opencl_says(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(
      emulate_text_run(
          &t, "query",
          "__kernel void query(__global int *o, int dynamic) {\n"
          "  if (get_local_id(0) + get_local_id(1) + get_group_id(0) + get_group_id(1) != 2 + 1 + 1 + 1) return;\n"
          "  int i = 0;\n  for (int d = 0; d < dynamic; d++) {\n"
          "    o[i++] = get_global_id(d); o[i++] = get_local_id(d); o[i++] = get_group_id(d);\n"
          "    o[i++] = get_global_size(d); o[i++] = get_local_size(d); o[i++] = get_num_groups(d);\n"
          "    o[i++] = get_global_offset(d);\n  }\n  o[i] = get_work_dim();\n}\n",
          "buffers:\n  O: {type: int, count: 64}\n"
          "launches:\n  - {kernel: query, global: [6, 4], local: [3, 2], offset: [10, 20], args: [{buffer: O}, "
          "{int: 4}]}\n",
          &options),
      0);
  static const int expected[] = {15, 2, 1, 6, 3, 2, 10, 23, 1, 1, 4, 2, 2, 20, 0,
                                 0,  0, 1, 1, 1, 0, 0,  0,  0, 1, 1, 1, 0, 2};
  const int *o = t.result.buffers[0];
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    assert_int_equal(o[i], expected[i]);
  emulate_text_clear(&t);
  (void)state;
}

static void private_arrays_constants_and_vectors_work(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(
      emulate_text_run(&t, "mixed",
                       "__constant int table[4] = {3, 1, 4, 1};\n"
                       "__kernel void mixed(__global int *a, int4 v, uchar b, long l) {\n"
                       "  int i = get_global_id(0), w[4] = {10, 20, 30, 40};\n"
                       "  w[(i + 1) & 3] += table[i & 3];\n"
                       "  a[i] = w[a[i] & 3] + v.w + b + (int)(l >> 32);\n}\n",
                       "buffers:\n  A: {type: int, count: 8, init: index}\n"
                       "launches:\n  - {kernel: mixed, global: 8, local: 2, args: [{buffer: A}, {int4: [0, 0, "
                       "0, 1000]}, {uchar: 200}, {long: 0x100000000}]}\n",
                       &options),
      0);
  const int *a = t.result.buffers[0];
  for (int i = 0; i < 8; i++)
    assert_int_equal(a[i], 10 + 10 * (i & 3) + 1000 + 200 + 1);
  emulate_text_clear(&t);
  (void)state;
}

/* OpenCL 1.0's atom_ names on 32-bit integers, half_ functions, fences, asynchronous copies. */
static void older_names_and_copies_work(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {0};
  assert_int_equal(
      emulate_text_run(&t, "older",
                       "__kernel void older(__global int *a, __global float *f, __local float *t) {\n"
                       "  int i = get_local_id(0);\n  atom_add(a, i);\n  atomic_add(a, 1);\n"
                       "  event_t e = async_work_group_copy(t, f, 8, 0);\n  wait_group_events(1, &e);\n"
                       "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n  f[8 + i] = half_sqrt(t[7 - i]);\n}\n",
                       "buffers:\n  A: {type: int, count: 1}\n  F: {type: float, count: 16, init: constant, "
                       "value: 16}\n"
                       "launches:\n  - {kernel: older, global: 8, local: 8, args: [{buffer: A}, {buffer: F}, "
                       "{local: 32}]}\n",
                       &options),
      0);
  assert_int_equal(((const int *)t.result.buffers[0])[0], 28 + 8);
  for (int i = 8; i < 16; i++)
    assert_true(fabsf(((const float *)t.result.buffers[1])[i] - 4) < 0.01f);
  emulate_text_clear(&t);
  (void)state;
}

/* More memory than the child may have is an error of the work, not a crash of the caller. */
static void a_small_memory_limit_ends_cleanly(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {.memory_bytes = 1 << 20};
  assert_int_equal(emulate_text_run(&t, "small", "__kernel void k(__global int *a) { a[0] = 1; }\n",
                                    "buffers:\n  A: {type: int, count: 1Mi}\n"
                                    "launches:\n  - {kernel: k, global: 1, local: 1, args: [{buffer: A}]}\n",
                                    &options),
                   -1);
  expect_error(
      &t.error,
      "small.yaml:5:6: buffer \"A\" of 4194304 bytes does not fit: all buffers of a workload together may take 1048576 "
      "bytes (the memory limit, and never more than 4 GiB: addresses in traces have 32 bits)");
  emulate_text_clear(&t);
  (void)state;
}

static void the_same_workload_gives_the_same_bytes(void **state) {
  const char *kernel =
      "__kernel void twice(__global const int *p, __global float *a) {\n"
      "  int i = get_global_id(0);\n  for (int k = 0; k < p[i]; k++)\n    a[i] += a[p[(i + k) & 63]];\n}\n";
  const char *body = "buffers:\n  P: {type: int, count: 64, init: uniform, low: 0, high: 63}\n"
                     "  A: {type: float, count: 64, init: uniform}\n"
                     "launches:\n  - {kernel: twice, global: 64, local: 16, args: [{buffer: P}, {buffer: A}]}\n";
  char *bytes[2];
  size_t lengths[2];
  for (int i = 0; i < 2; i++) {
    struct emulate_text t;
    struct error error = ERROR_INIT;
    const struct emulate_options options = {.trace_directory = i ? "twice-b" : "twice-a"};
    assert_int_equal(emulate_text_run(&t, "twice", kernel, body, &options), 0);
    assert_int_equal(file_read(t.result.launches[0].trace_path, 1 << 24, &bytes[i], &lengths[i], &error), 0);
    assert_int_equal(t.result.launches[0].trace_bytes, lengths[i]);
    emulate_text_clear(&t);
  }
  assert_int_equal(lengths[0], lengths[1]);
  assert_memory_equal(bytes[0], bytes[1], lengths[0]);
  free(bytes[0]);
  free(bytes[1]);
  (void)state;
}

static void a_workload_built_in_memory_runs(void **state) {
  write_text("memory.cl", "__kernel void fill(__global int *a, int v) { a[get_global_id(0)] = v; }\n");
  struct workload_buffer buffer = {.name = (char *)"A", .type = SCALAR_INT, .count = 4};
  struct workload_argument arguments[2] = {{.kind = ARGUMENT_BUFFER},
                                           {.kind = ARGUMENT_SCALAR, .type = SCALAR_INT, .value = {7}, .elements = 1}};
  struct workload_launch launch = {.kernel = (char *)"fill",
                                   .dimensions = 1,
                                   .global = {4, 1, 1},
                                   .local = {2, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 2};
  const struct workload workload = {.path = (char *)"",
                                    .name = (char *)"",
                                    .source = (char *)"memory.cl",
                                    .buffers = &buffer,
                                    .buffer_count = 1,
                                    .launches = &launch,
                                    .launch_count = 1};
  const struct emulate_options options = {.trace_directory = "memory-traces"};
  struct emulate_result result;
  struct error error = ERROR_INIT;
  assert_int_equal(emulate_workload(&workload, &options, true, &result, &error), 0);
  assert_string_equal(result.launches[0].trace_path, "memory-traces/fill.rtrace");
  for (int i = 0; i < 4; i++)
    assert_int_equal(((const int *)result.buffers[0])[i], 7);
  emulate_result_clear(&result);
  launch.local[0] = 3;
  assert_int_equal(emulate_workload(&workload, &options, true, &result, &error), -1);
  expect_error(&error,
               "local: local size 3 does not divide global size 4 in dimension 0. OpenCL 1.2 requires it (OpenCL "
               "2.0's non-uniform work-groups are not supported); round the global size up to 6 and let the kernel "
               "skip what lies outside");
  (void)state;
}

/* Each workload checks its own results. */
static void kernels_run_without_the_optimiser(void **state) {
  static const char *const names[] = {"gemm-tiled-64", "reduction", "atax-256-kernel1", "blackscholes-64", "bfs-16384"};
  const struct emulate_options options = {.check = true, .unoptimised = true, .quiet = true};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct workload *workload;
    struct emulate_result result;
    struct error error = ERROR_INIT;
    char *path = text_format("%s/configs/workloads/%s.yaml", getenv("REASSEMBLE_DATA"), names[i]);
    assert_int_equal(workload_load(path, &workload, &error), 0);
    if (emulate_workload(workload, &options, false, &result, &error))
      fail_msg("%s: %s", names[i], error.text);
    assert_true(result.checks_passed > 0);
    emulate_result_clear(&result);
    workload_destroy(workload);
    free(path);
  }
  (void)state;
}

/* Shows `texels` of one channel of a buffer, from byte `offset` on, where the kernel wants an image. */
static void show(struct workload_argument *a, size_t offset, uint32_t texels, enum image_type type) {
  a->kind = ARGUMENT_IMAGE;
  a->offset = offset;
  a->shown_texels = texels;
  a->shown = (struct image_format){IMAGE_R, (uint8_t)type};
}

/* Two images and a pointer to one buffer: each reads and writes the others' bytes. */
static void images_show_parts_of_buffers(void **state) {
  const struct emulate_options options = {0};
  struct workload *workload;
  struct emulate_result result;
  struct error error = ERROR_INIT;
  write_text("shown.cl", "__kernel void shown(read_only image1d_buffer_t in, write_only image1d_buffer_t out,\n"
                         "                    __global int *x) {\n"
                         "  int i = get_global_id(0);\n"
                         "  write_imagei(out, i, (int4)(1000 + read_imageui(in, i).x));\n"
                         "  if (i == 0)\n    x[31] = get_image_width(in) * 100 + get_image_width(out);\n}\n");
  write_text("shown.yaml", "schema: reassemble.workload/1\nname: shown\nsource: shown.cl\n"
                           "buffers:\n  B: {type: int, count: 32, init: index}\n"
                           "launches:\n  - {kernel: shown, global: 8, local: 8, args: [{buffer: B}, {buffer: B}, "
                           "{buffer: B}]}\n");
  assert_int_equal(workload_load("shown.yaml", &workload, &error), 0);
  show(&workload->launches[0].arguments[0], 16, 12, IMAGE_UNSIGNED_INT8);
  show(&workload->launches[0].arguments[1], 64, 9, IMAGE_SIGNED_INT32);
  assert_int_equal(emulate_workload(workload, &options, true, &result, &error), 0);
  const int *x = result.buffers[0];
  for (int i = 0; i < 32; i++) {
    const int k = i - 16, byte = k % 4 == 0 ? 4 + k / 4 : 0; /* the numbers 4, 5, ... as bytes, the lowest first */
    assert_int_equal(x[i], i == 31 ? 1209 : k >= 0 && k < 8 ? 1000 + byte : i);
  }
  show(&workload->launches[0].arguments[1], 64, 7, IMAGE_SIGNED_INT32);
  emulate_result_clear(&result);
  assert_int_equal(emulate_workload(workload, &options, true, &result, &error), -1);
  assert_non_null(strstr(error.text, "write_imagei at (7) outside of image \"out\" of 7 texels"));
  workload_destroy(workload);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_product_is_bit_equal),
      cmocka_unit_test(barriers_order_local_memory),
      cmocka_unit_test(queries_answer_as_opencl_says),
      cmocka_unit_test(the_least_integer_divided_by_minus_one_wraps),
      cmocka_unit_test(private_arrays_constants_and_vectors_work),
      cmocka_unit_test(older_names_and_copies_work),
      cmocka_unit_test(a_small_memory_limit_ends_cleanly),
      cmocka_unit_test(the_same_workload_gives_the_same_bytes),
      cmocka_unit_test(a_workload_built_in_memory_runs),
      cmocka_unit_test(kernels_run_without_the_optimiser),
      cmocka_unit_test(images_show_parts_of_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
