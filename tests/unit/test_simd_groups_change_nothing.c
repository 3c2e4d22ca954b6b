/* A kernel that runs in SIMD groups gives the same trace, to the byte, the same buffers, to the bit, and the same
 * errors as one whose work-items run one after the other. */
#include "expect_error.h"

#include "base/file.h"
#include "emulate_text.h"

#define BUFFERS                                                                                                        \
  "buffers:\n  A: {type: float, count: 4096, init: uniform, low: -4, high: 4}\n"                                       \
  "  B: {type: float, count: 4096, init: index}\n  I: {type: int, count: 4096, init: index}\n"                         \
  "  C: {type: uchar, count: 4096, init: index}\n  D: {type: double, count: 4096, init: index}\n"                      \
  "  O: {type: float, count: 4096, init: zero}\n"
#define LAUNCH(size, group, args)                                                                                      \
  BUFFERS "launches:\n  - {kernel: k, global: " size ", local: " group ", args: [" args "]}\n"

#define INDEX(type, sign)                                                                                              \
  "__kernel void k(__global float *o, " type " n, long m) {\n  o[(long)(n " sign " (" type                             \
  ")get_global_id(0)) - m] = 1;\n}\n"

struct simd_case {
  const char *kernel, *body;
};

static const struct simd_case good[] = {
    /* local memory, barriers, a loop between them */
    {"__kernel void k(__global const float *a, __global const float *b, __global float *o, int n) {\n"
     "  __local float s[8][8], t[8][8];\n  int x = get_local_id(0), y = get_local_id(1);\n"
     "  int c = get_global_id(0), r = get_global_id(1);\n  float sum = 0;\n"
     "  for (int f = 0; f < n; f += 8) {\n    s[y][x] = a[r * n + f + x];\n    t[y][x] = b[(f + y) * n + c];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int k = 0; k < 8; k++)\n      sum += s[y][k] * t[k][x];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  o[r * n + c] = sum;\n}\n",
     LAUNCH("[32, 32]", "[8, 8]", "{buffer: A}, {buffer: B}, {buffer: O}, {int: 32}")},
    /* strides of 1, -1, 3 and of other types; more than one SIMD group a work-group */
    {"__kernel void k(__global const float *a, __global const int *i, __global uchar *c, __global double *d,\n"
     "                __global float *o) {\n  int g = get_global_id(0), l = get_local_id(0);\n"
     "  c[g] = (uchar)(c[255 - g] + i[3 * g]);\n  d[2 * g + 1] = a[g] * 2.0 + l;\n"
     "  o[300 - g] = (float)i[g] / (1 + get_group_id(0)) + c[g];\n}\n",
     LAUNCH("96", "24", "{buffer: A}, {buffer: I}, {buffer: C}, {buffer: D}, {buffer: O}")},
    /* conversions, selections, comparisons, shifts, divisions by constants, functions, uniform values */
    {"__kernel void k(__global const float *a, __global const int *i, __global float *o, float w) {\n"
     "  size_t g = get_global_id(0);\n  float x = a[g];\n  int j = (int)(x * 100) ^ i[g], h = j >> 3;\n"
     "  uint u = (uint)fabs(x) * 7u + (uint)(j / 10) + (uint)(h % 7);\n  float e = exp(x), y = x > w ? x : e;\n"
     "  y = fma(y, w, mad(x, y, 1.0f)) - floor(x) * sqrt(fabs(y)) + fmin(x, w) + pow(fabs(x), w);\n"
     "  long q = (long)j * u;\n  y += isnan(y) + (float)(q & 255) + (float)max(j, h) + (u > 9u ? w : -w);\n"
     "  for (int k = 0; k < 5; k++)\n    y = y * 0.5f + a[k];\n  o[g] = y;\n}\n",
     LAUNCH("128", "32", "{buffer: A}, {buffer: I}, {buffer: O}, {float: 0.75}")},
    /* halves: arithmetic, functions, comparisons, conversions of each direction, a private result */
    {"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
     "__kernel void k(__global const float *a, __global const half *h, __global float *o, int n) {\n"
     "  int g = get_global_id(0);\n  half x = convert_half_rtz(a[g]), s = h[g];\n"
     "  for (int k = 0; k < n; k++)\n    s = fma(x, s, (half)k) - sqrt(fabs(s)) + (s > x ? nextafter(x, s) : x);\n"
     "  o[g] = convert_float(s) + convert_int_sat(x) + isnan(s);\n"
     "  ((__global half *)o)[512 + g] = select(x, s, (short)g) + (half)g;\n}\n",
     LAUNCH("128", "32", "{buffer: A}, {buffer: I}, {buffer: O}, {int: 9}")},
    /* numbers that no integer holds; a uniform selection of varying values */
    {"__kernel void k(__global const float *a, __global float *o, __global int *i, int n) {\n  int g = "
     "get_global_id(0);\n"
     "  float x = a[g], z = x * x + 1;\n  o[g] = n > 3 ? x : z;\n  o[g + 64] = n > 30 ? x : z;\n"
     "  i[g] = (int)(x * 1e12f);\n  i[g + 64] = (int)(uint)(x * 1e10f);\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {buffer: I}, {int: 9}")},
    /* an accumulation in memory; an index that is also a value */
    {"__kernel void k(__global const float *a, __global float *o, __global int *i, int n) {\n"
     "  int g = get_global_id(0) + 3;\n  for (int k = 0; k < n; k++)\n    o[g] += a[k * 16 + g] * k;\n"
     "  long wide = (long)(g * 5 - 7);\n  i[g] = (int)(wide * wide >> 2);\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {buffer: I}, {int: 9}")},
    /* addresses that follow no stride from iteration to iteration */
    {"__kernel void k(__global const float *a, __global const int *i, __global float *o) {\n"
     "  int g = get_global_id(0);\n  for (int k = 0; k < 20; k++)\n    o[g] += a[i[k * k * 7 & 1023] + g];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: I}, {buffer: O}")},
    /* a guard at which one SIMD group diverges, and one that is false in all lanes of a group */
    {"__kernel void k(__global const float *a, __global float *o, int n, int m) {\n"
     "  int x = get_global_id(0), y = get_global_id(1);\n  if (x < n && y < m) {\n    o[y * 64 + x] *= 3;\n"
     "    for (int k = 0; k < m; k++)\n      o[y * 64 + x] += a[k * 64 + x] * a[y * 64 + k];\n  }\n}\n",
     LAUNCH("[64, 8]", "[32, 4]", "{buffer: A}, {buffer: O}, {int: 43}, {int: 7}")},
    /* indices of a few bits, which wrap around on purpose; both within one SIMD group */
    {"__kernel void k(__global const float *a, __global float *o, uint n) {\n"
     "  uint g = get_global_id(0);\n  uchar b = (uchar)(g + n);\n  ushort s = (ushort)(g * 2 + 60000 + n);\n"
     "  o[g] = (g + n & 31) * 2 + b + s;\n  o[g + 64] = (float)(int)(n * 400 - g * 5000000);\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {uint: 235}")},
    /* indices of 32 bits that reach the last number there is, and the first */
    {INDEX("int", "+"), LAUNCH("64", "16", "{buffer: O}, {int: 2147483584}, {long: 2147483584}")},
    {INDEX("int", "-"), LAUNCH("64", "16", "{buffer: O}, {int: -2147483585}, {long: -2147483648}")},
    {INDEX("uint", "+"), LAUNCH("64", "16", "{buffer: O}, {uint: 4294967232}, {long: 4294967232}")},
    {INDEX("uint", "-"), LAUNCH("64", "16", "{buffer: O}, {uint: 63}, {long: 0}")},
    /* some SIMD groups diverge in a loop */
    {"__kernel void k(__global const float *a, __global const int *i, __global float *o) {\n"
     "  int g = get_global_id(0), n = i[g] > 700 ? i[g] & 15 : i[g] >> 3;\n  float s = 0;\n"
     "  for (int k = 0; k < n; k++)\n    s = s * 0.5f + a[k * 16];\n  o[g] = s;\n}\n",
     LAUNCH("1024", "64", "{buffer: A}, {buffer: I}, {buffer: O}")},
    /* local memory as an argument, a table of constants, and tables that only others use */
    {"__constant float table[4] = {1, 2, 4, 8}, unused[2] = {3, 5};\n"
     "__constant float *__constant tables[2] = {table, unused};\n"
     "__kernel void other(__global float *o, int n) {\n  o[n] = tables[n & 1][1];\n}\n"
     "__kernel void k(__global const float *a, __global float *o, __local float *t, int n) {\n"
     "  int l = get_local_id(0);\n  t[l] = a[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  o[get_global_id(0)] = t[15 - l] * table[n];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {local: 64}, {int: 2}")},
};

/* Kernels that a SIMD group would not compute as its work-items do. */
static const struct simd_case apart[] = {
    /* indices of a few bits wrap around on purpose */
    {"__kernel void k(__global const float *a, __global float *o) {\n  int g = get_global_id(0);\n"
     "  o[g] = a[(uchar)(g + 250)] + a[g + 3 & 15];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}")},
    {"__kernel void k(__global const uchar *e, __global float *o) {\n  int g = get_global_id(0);\n"
     "  o[g] = e[(ushort)(g + 65500)];\n}\n",
     "buffers:\n  E: {type: uchar, count: 65536, init: index}\n  O: {type: float, count: 64, init: zero}\n"
     "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: E}, {buffer: O}]}\n"},
    {"__kernel void k(__global const uchar *e, __global float *o) {\n  size_t g = get_global_id(0);\n"
     "  o[g] = e[32768 + (short)(g + 32750)];\n}\n",
     "buffers:\n  E: {type: uchar, count: 65536, init: index}\n  O: {type: float, count: 64, init: zero}\n"
     "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: E}, {buffer: O}]}\n"},
    {"__kernel void k(__global const uchar *e, __global float *o, long n) {\n  long g = get_global_id(0);\n"
     "  o[g] = e[524288 + (g + n << 44 >> 44)];\n}\n",
     "buffers:\n  E: {type: uchar, count: 1048576, init: index}\n  O: {type: float, count: 64, init: zero}\n"
     "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: E}, {buffer: O}, {long: 524276}]}\n"},
    /* places that follow no step: bits that are masked or set, another step on each of two ways */
    {"__kernel void k(__global const float *a, __global float *o) {\n  size_t g = get_global_id(0);\n"
     "  o[g] = a[g & ~(size_t)3];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}")},
    {"__kernel void k(__global const float *a, __global float *o) {\n  size_t g = get_global_id(0);\n"
     "  o[g] = a[g << 3 | 8];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}")},
    {"__kernel void k(__global const float *a, __global float *o, int n) {\n  size_t g = get_global_id(0), j = g;\n"
     "  if (n > 3) {\n    j = 3 * g;\n    o[g + 1000] = a[j + 5];\n  }\n  o[g] = a[j];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {int: 5}")},
    /* stores to one place, and to places that overlap */
    {"__kernel void k(__global float *o) {\n  o[get_group_id(0)] = get_global_id(0);\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {"typedef struct __attribute__((packed)) {\n  ushort s;\n} P;\n"
     "__kernel void k(__global uchar *c) {\n  ((__global P *)(c + get_global_id(0)))->s = 0x102;\n}\n",
     LAUNCH("64", "16", "{buffer: C}")},
    /* ways that part when something is stored already */
    {"__kernel void k(__global float *o) {\n  int g = get_global_id(0);\n  o[g] += 1;\n  if (g < 13)\n    o[g + 99] = "
     "5;\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {"__kernel void k(__global const float *a, __global float *o, int n) {\n  int g = get_global_id(0);\n  float s = "
     "0;\n"
     "  o[g] += 1;\n  for (int k = 0; k < n; k++)\n    s += a[k];\n  if (g < 13)\n    o[g + 99] = s;\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {int: 7}")},
    {"__kernel void k(__global const float *a, __global float *o, int n) {\n  int g = get_global_id(0);\n  float s = "
     "0;\n"
     "  switch (g) {\n  case 1:\n    s = a[g + 100] * 2;\n    break;\n  case 9:\n    s = a[200] + 7;\n    break;\n  "
     "case 20:\n"
     "    for (int k = 0; k < n; k++)\n      s += a[k];\n  }\n  o[g] = s;\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}, {int: 7}")},
    /* the width is not a multiple of eight */
    {"__kernel void k(__global float *o) {\n  o[get_global_id(0)] = get_local_id(0);\n}\n",
     LAUNCH("48", "12", "{buffer: O}")},
    {"__kernel void k(__global float *o) {\n  o[get_global_id(0)] = get_local_id(0);\n}\n",
     LAUNCH("[64, 4]", "[4, 4]", "{buffer: O}")},
    /* vectors may be computed in another way; every access of what is volatile counts */
    {"__kernel void k(__global const float *a, __global float *o) {\n  int g = get_global_id(0);\n  o[g] = a[g] * 3 + "
     "a[g + 9];\n}\n",
     "options: -cl-fast-relaxed-math\n" LAUNCH("64", "16", "{buffer: A}, {buffer: O}")},
    {"__kernel void k(__global const volatile float *a, __global float *o) {\n  int g = get_global_id(0);\n  o[g] = "
     "a[g];\n}\n",
     LAUNCH("64", "16", "{buffer: A}, {buffer: O}")},
    {"__kernel void k(__global int *i) {\n  atomic_add(i, (int)get_global_id(0));\n}\n",
     LAUNCH("64", "16", "{buffer: I}")},
    {"__kernel void k(__global const int *i, __global float *o) {\n  float f[8];\n  int g = get_global_id(0);\n"
     "  for (int k = 0; k < 8; k++)\n    f[k ^ i[g] & 7] = k;\n  o[g] = f[g & 7];\n}\n",
     LAUNCH("64", "16", "{buffer: I}, {buffer: O}")},
};

/* Kernels that would run in SIMD groups if these were not told apart. */
static const struct simd_case bad[] = {
    {"__kernel void k(__global float *o, int n) {\n  o[get_global_id(0) + n] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {int: 4051}")},
    {"__kernel void k(__global float *o, int n) {\n  o[n - (int)get_global_id(0)] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {int: 42}")},
    {"__kernel void k(__global float *o, uint n) {\n  o[n - (uint)get_global_id(0)] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {uint: 42}")},
    {"__kernel void k(__global float *o, int n) {\n  o[(int)get_global_id(0) + n] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {int: 2147483604}")},
    {"__constant float t[20] = {1, 2};\n__kernel void k(__global float *o) {\n"
     "  o[get_global_id(0)] = t[get_global_id(0)];\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {"__kernel void k(__global float *o) {\n  __local float t[32];\n  int l = get_local_id(0);\n  t[l] = l;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  o[l] = t[l + 1];\n}\n",
     LAUNCH("64", "32", "{buffer: O}")},
    {"__kernel void k(__global float *o) {\n  __local float t[32];\n  int l = get_local_id(0);\n  t[l] = l;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  o[l] = t[l + 3];\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {INDEX("uint", "+"), LAUNCH("64", "16", "{buffer: O}, {uint: 4294967233}, {long: 4294967233}")},
    {INDEX("uint", "-"), LAUNCH("64", "16", "{buffer: O}, {uint: 62}, {long: 0}")},
    /* what nobody has written, from the fourth lane on; and a copy of it */
    {"__kernel void k(__global float *o) {\n  __local float t[32];\n  int l = get_local_id(0);\n  t[l] = l;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  o[get_global_id(0)] = t[l + 5] + 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {"__kernel void k(__global float *o) {\n  __local float t[32], u[32];\n  int l = get_local_id(0);\n  t[l] = l;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  u[l] = t[l + 5];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  o[get_global_id(0)] = u[l] + 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}")},
    {"__kernel void k(__global uchar *c, int n) {\n  ((__global int *)(c + n))[get_global_id(0)] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: C}, {int: 2}")},
    /* the same, on two ways that meet */
    {"__kernel void k(__global float *o, __global double *d, uint n, long m) {\n  uint g = get_global_id(0);\n"
     "  long j;\n  if (m > 3) {\n    j = g + n;\n    d[g] = j * j;\n  } else {\n    j = g + 7;\n    o[g + 900] = j * "
     "j;\n"
     "  }\n  o[j - m] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {buffer: D}, {uint: 4294967233}, {long: 4294967233}")},
    /* seven steps that are a little more than all addresses there are */
    {"__kernel void k(__global uchar *c) {\n  c[get_global_id(0) * 2635249153387078803ul] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: C}")},
    {"__kernel void k(__global float *o, int n) {\n  int g = get_global_id(0);\n  if (g < 43)\n    o[g + n] = 1;\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {int: 4054}")},
    {"__kernel void k(__global float *o, uint n) {\n  __local float t[16];\n  t[get_local_id(0)] = 1;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  o[get_global_id(0)] = t[n - (uint)get_local_id(0)];\n}\n",
     LAUNCH("64", "16", "{buffer: O}, {uint: 12}")},
    {"__kernel void k(__global float *o) {\n  if (get_local_id(1) > 1)\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  o[get_global_id(0)] = 1;\n}\n",
     LAUNCH("[32, 4]", "[16, 4]", "{buffer: O}")},
};

static void run(struct emulate_text *t, const struct simd_case *c, const char *simd, int status) {
  const struct emulate_options options = {.trace_directory = "simd-traces"};
  setenv("REASSEMBLE_SIMD", simd, 1);
  assert_int_equal(emulate_text_run(t, "simd", c->kernel, c->body, &options), status);
}

static void expect_same_bytes(const char *path, const char *other) {
  char *a, *b;
  size_t length, other_length;
  struct error error = ERROR_INIT;
  assert_int_equal(file_read(path, 1 << 24, &a, &length, &error), 0);
  assert_int_equal(file_read(other, 1 << 24, &b, &other_length, &error), 0);
  assert_int_equal(length, other_length);
  assert_memory_equal(a, b, length);
  free(a);
  free(b);
}

/* Returns how many work-groups ran in SIMD groups, where that is allowed. */
static uint64_t compare(const struct simd_case *c) {
  struct emulate_text one, grouped;
  run(&one, c, "never", 0);
  assert_int_equal(rename(one.result.launches[0].trace_path, "one.rtrace"), 0);
  run(&grouped, c, "always", 0);
  const uint64_t simd_groups = grouped.result.launches[0].simd_groups;
  assert_int_equal(one.result.launches[0].simd_groups, 0);
  expect_same_bytes("one.rtrace", grouped.result.launches[0].trace_path);
  for (size_t k = 0; k < one.result.buffer_count; k++)
    assert_memory_equal(one.result.buffers[k], grouped.result.buffers[k],
                        one.workload->buffers[k].count * scalar_type_bytes(one.workload->buffers[k].type));
  emulate_text_clear(&one);
  emulate_text_clear(&grouped);
  return simd_groups;
}

static void traces_and_buffers_are_the_same(void **state) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(compare(&good[i]) > 1);
  (void)state;
}

static void what_a_row_would_not_do_runs_one_by_one(void **state) {
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    assert_int_equal(compare(&apart[i]), 0);
  (void)state;
}

/* `who`: a part of the message. */
static void expect_same_mistake(const struct simd_case *c, const char *who) {
  struct emulate_text one, grouped;
  run(&one, c, "never", -1);
  run(&grouped, c, "always", -1);
  assert_int_equal(one.error.kind, ERROR_WORK);
  assert_non_null(strstr(one.error.text, who));
  assert_string_equal(one.error.text, grouped.error.text);
  assert_int_equal(one.error.line, grouped.error.line);
  emulate_text_clear(&one);
  emulate_text_clear(&grouped);
}

static void mistakes_are_the_same(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_same_mistake(&bad[i], "work-item (");
  (void)state;
}

/* The first access out of bounds is that of work-item 40, 41, ... 47, of one SIMD group. */
static void each_lane_is_checked(void **state) {
  static const struct {
    const char *kernel;
    int first, step; /* the argument for work-item 40, and from there to the next */
  } ways[] = {
      {"__kernel void k(__global float *o, int n) {\n  o[get_global_id(0) + n] = 1;\n}\n", 4096 - 40, -1},
      {"__kernel void k(__global float *o, int n) {\n  o[n - (int)get_global_id(0)] = 1;\n}\n", 39, 1},
      {"__kernel void k(__global float *o, int n) {\n  o[(int)get_global_id(0) * 3 + n] = 1;\n}\n", 4096 - 120, -3}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    for (int lane = 0; lane < 8; lane++) {
      char body[1000], item[40];
      snprintf(body, sizeof body, LAUNCH("64", "16", "{buffer: O}, {int: %d}"), ways[i].first + lane * ways[i].step);
      snprintf(item, sizeof item, "work-item (%d, 0, 0)", 40 + lane);
      expect_same_mistake(&(struct simd_case){ways[i].kernel, body}, item);
    }
  (void)state;
}

/* Rows are compiled behind the first work-group of a launch that has enough left to do, and never for a short one. */
static void long_launches_run_in_rows(void **state) {
  static const char kernel[] = "__kernel void k(__global const float *a, __global float *o, int n) {\n"
                               "  int g = get_global_id(0);\n  float s = 0;\n  for (int k = 0; k < n; k++)\n"
                               "    s += a[k] * a[g];\n  o[g] = s;\n}\n";
  const struct simd_case longer = {kernel, LAUNCH("4096", "64", "{buffer: A}, {buffer: O}, {int: 4096}")},
                         shorter = {kernel, LAUNCH("4096", "64", "{buffer: A}, {buffer: O}, {int: 4}")};
  struct emulate_text t;
  run(&t, &longer, "where worth it", 0);
  assert_int_equal(t.result.launches[0].simd_groups, 63);
  emulate_text_clear(&t);
  run(&t, &shorter, "where worth it", 0);
  assert_int_equal(t.result.launches[0].simd_groups, 0);
  emulate_text_clear(&t);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(traces_and_buffers_are_the_same),
                                     cmocka_unit_test(what_a_row_would_not_do_runs_one_by_one),
                                     cmocka_unit_test(mistakes_are_the_same), cmocka_unit_test(each_lane_is_checked),
                                     cmocka_unit_test(long_launches_run_in_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
