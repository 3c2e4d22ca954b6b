/* Random kernels that diverge nowhere, or before they store, give the same traces and buffers in SIMD groups as one
 * work-item after the other, and as many operations as without a trace. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "emulate_text.h"
#include "rounds.h"

enum { KERNELS = 24, STATEMENTS = 14, VARIABLES = 4 };

/* x stays below 64, y below 8. */
static const char buffers[] =
    "buffers:\n  A: {type: float, count: 4096, init: uniform, low: -4, high: 4}\n"
    "  I: {type: int, count: 4096, init: index}\n  O: {type: float, count: 4096, init: zero}\n"
    "  P: {type: int, count: 4096, init: zero}\n";
static const char all_arguments[] =
    "args: [{buffer: A}, {buffer: I}, {buffer: O}, {buffer: P}, {int: 5}, {float: 0.75}]}\n";

struct text {
  char bytes[16384];
  size_t length;
  struct random_state *random;
  unsigned labels;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int more = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, arguments);
  va_end(arguments);
  t->length += (size_t)more;
  assert_true(t->length < sizeof t->bytes);
}

static unsigned below(struct text *t, unsigned limit) {
  return random_below(t->random, limit);
}

/* One of v0, v1, ..., a constant, an argument or an id. */
static void put_integer(struct text *t) {
  static const char *const others[] = {"n", "x", "y", "(int)get_group_id(1)", "(int)get_global_id(0)"};
  const unsigned pick = below(t, 9);
  if (pick < 4)
    put(t, "v%u", below(t, VARIABLES));
  else if (pick == 4)
    put(t, "%d", (int)below(t, 2000) - 1000);
  else
    put(t, "%s", others[below(t, 5)]);
}

static void put_integer_statement(struct text *t) {
  static const char *const shapes[] = {"%s + %s",
                                       "%s - %s",
                                       "%s * %s",
                                       "%s & %s",
                                       "%s ^ %s",
                                       "max(%s, %s)",
                                       "(%s > 3) + %s",
                                       "%s << (%s & 7)",
                                       "%s >> (%s & 15)",
                                       "(uchar)%s + (short)(%s * 9)",
                                       "%s / 10 + %s % 7",
                                       "(int)((long)%s * %s >> 5)",
                                       "(int)((uint)%s / 3u) + %s",
                                       "(int)mad24(%s, 3, %s)",
                                       "(int)((ulong)%s * 0x9e3779b97f4a7c15UL >> 40) ^ %s",
                                       "rotate(%s, 5) - (int)mul_hi(%s, 0x12345678)",
                                       "convert_char_sat(%s) * (ushort)%s",
                                       "(int)popcount(%s) + (int)abs_diff(%s, 7)",
                                       "(char)%s < (char)%s ? n : 3",
                                       "(int)add_sat((short)%s, (short)%s)",
                                       "(uint)%s > (uint)%s ? x : y",
                                       "(int)(((long)%s << 33 | (uint)%s) % 1000003)"};
  struct text a = {.random = t->random}, b = {.random = t->random};
  put_integer(&a);
  put_integer(&b);
  put(t, "  v%u = ", below(t, VARIABLES));
  const char *shape = shapes[below(t, sizeof shapes / sizeof *shapes)];
  for (unsigned operand = 0; *shape; shape++)
    if (shape[0] == '%' && shape[1] == 's') {
      put(t, "%s", operand++ ? b.bytes : a.bytes);
      shape++;
    } else
      put(t, "%c", *shape);
  put(t, ";\n");
}

static void put_float_statement(struct text *t) {
  static const char *const shapes[] = {"f%u + f%u",
                                       "f%u * f%u - w",
                                       "f%u / (fabs(f%u) + 1.0f)",
                                       "fma(f%u, w, f%u)",
                                       "f%u < f%u ? w : 1.5f",
                                       "sqrt(fabs(f%u)) + f%u",
                                       "floor(f%u) - fmin(f%u, w)",
                                       "native_exp(w - fabs(f%u)) + f%u",
                                       "(float)((double)f%u * 0.1 + (double)f%u)",
                                       "convert_float_rtz(convert_int_sat_rte(f%u)) + f%u",
                                       "select(f%u, f%u, isgreater(w, 0.5f))",
                                       "mix(f%u, w, 0.25f) + copysign(1.0f, f%u)"};
  put(t, "  f%u = ", below(t, VARIABLES));
  const unsigned a = below(t, VARIABLES), b = below(t, VARIABLES);
  char line[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(line, sizeof line, shapes[below(t, sizeof shapes / sizeof *shapes)], a, b);
#pragma GCC diagnostic pop
  put(t, "%s;\n", line);
}

/* Addresses with a constant step from a work-item to the next, in bounds whatever the values are. */
static void put_load(struct text *t) {
  static const char *const places[] = {"y * 64 + x",
                                       "x * 3 + 7",
                                       "2000 - x",
                                       "n & 1023",
                                       "(y * 5 + n) & 2047",
                                       "x * 2 + y + 1",
                                       "(uint)x * 5u + 2u",
                                       "(size_t)x + (uchar)(n * 77)",
                                       "(uchar)(x + n * 45)",
                                       "(ushort)(x * 3 + 65400) & 2047",
                                       "(int)((uint)x - 3000000000u + 3000000100u)",
                                       "(short)(n * 40) + x",
                                       "(x << 2 | 3)"};
  const char *place = places[below(t, sizeof places / sizeof *places)];
  const unsigned way = below(t, 3);
  if (way == 0)
    put(t, "  f%u += a[%s];\n", below(t, VARIABLES), place);
  else if (way == 1)
    put(t, "  f%u -= *(n > 3 ? a + 9 + x : a + 90 + x) + at[n];\n", below(t, VARIABLES));
  else
    put(t, "  v%u ^= i[%s];\n", below(t, VARIABLES), place);
}

static void put_loop(struct text *t) {
  put(t, "  for (int k = 0; k < n + %u; k++) {\n    f%u = f%u * 0.5f + a[k * 32 + x];\n    v%u += k * v%u;\n  }\n",
      below(t, 4), below(t, VARIABLES), below(t, VARIABLES), below(t, VARIABLES), below(t, VARIABLES));
}

/* Paths that all lanes of a SIMD group take. */
static void put_uniform_ways(struct text *t) {
  static const char *const conditions[] = {"n > 3", "y & 1", "get_group_id(0) == 1", "n + y * 3 < 11",
                                           "w > 0.5f && y < 5"};
  const char *condition = conditions[below(t, sizeof conditions / sizeof *conditions)];
  const unsigned a = below(t, VARIABLES), b = below(t, VARIABLES);
  switch (below(t, 5)) {
  case 0:
    put(t, "  if (%s)\n    v%u = v%u * 3 + x;\n  else\n    f%u = a[x + %u] - w;\n", condition, a, b, a, 40 * b);
    break;
  case 1:
    put(t,
        "  switch (y %% 4) {\n  case 0:\n    v%u ^= i[x];\n  case 1:\n    f%u += v%u;\n    break;\n  case 3:\n"
        "    v%u = (uchar)v%u;\n  }\n",
        a, b, a, b, a);
    break;
  case 2:
    put(t,
        "  for (int k = 0; k < 6; k++) {\n    if (k == n)\n      break;\n    for (int m = k; m < 5; m++) {\n"
        "      if ((m + y) %% 3 == 0)\n        continue;\n      v%u += i[m * 8 + x] >> k;\n      if (%s)\n        "
        "break;\n"
        "    }\n    f%u *= 0.75f;\n  }\n",
        a, condition, b);
    break;
  case 3:
    put(t,
        "  {\n    int k = y;\n  again%u:\n    v%u = helper(v%u, k, w);\n    if (++k < 5)\n      goto again%u;\n  }\n",
        t->labels, a, b, t->labels);
    t->labels++;
    break;
  default:
    put(t,
        "  {\n    __global const float *p = a + x, *end = p + 64 * (n + 2);\n    while (p != end) {\n      f%u += *p;\n"
        "      p += 64;\n    }\n    v%u += (int)(end - a);\n  }\n",
        a, b);
  }
}

/* Ways that they do not all take, where nothing is stored yet. */
static void put_parting(struct text *t) {
  const unsigned a = below(t, VARIABLES), b = below(t, VARIABLES);
  switch (below(t, 3)) {
  case 0:
    put(t, "  if (x > %u + y)\n    return;\n", 30 + below(t, 30));
    break;
  case 1:
    put(t, "  if (x < %u && v%u != 77)\n    f%u = sin(f%u) + a[x * 2];\n", below(t, 60), a, b, a);
    break;
  default:
    put(t, "  for (int k = 0; k < (i[x + y] > %u ? 7 : 4); k++)\n    v%u = v%u * 5 + i[k + x];\n", 10 * below(t, 6), a,
        b);
  }
}

/* Local memory of the work-group turned around. */
static void put_exchange(struct text *t) {
  const unsigned v = below(t, VARIABLES);
  put(t,
      "  t[ly][lx] = v%u;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  v%u += t[get_local_size(1) - 1 - ly][get_local_size(0) - 1 - lx];\n  barrier(CLK_LOCAL_MEM_FENCE);\n",
      v, v);
}

static void put_kernel(struct text *t) {
  const bool barriers = below(t, 2);
  put(t, "int helper(int v, int k, float w) {\n  if (k > 3)\n    return v - 1;\n  return v * k + (w > k);\n}\n"
         "__kernel void k(__global const float *a, __global const int *i, __global float *o, __global int *p, int n,\n"
         "                float w) {\n  __local int t[4][32];\n  int x = get_global_id(0), y = get_global_id(1);\n"
         "  int lx = get_local_id(0), ly = get_local_id(1);\n");
  put(t, "  __global const float *at = a + 2 * x;\n");
  for (unsigned k = 0; k < VARIABLES; k++)
    put(t, "  int v%u = x * %u + y;\n  float f%u = w * %u + x;\n", k, k, k, k);
  for (unsigned k = 0; k < STATEMENTS; k++) {
    const unsigned pick = below(t, 12);
    if (pick == 10)
      put_uniform_ways(t);
    else if (pick == 11 && !barriers && below(t, 2))
      put_parting(t);
    else if (pick == 11 || pick < 4)
      put_integer_statement(t);
    else if (pick < 7)
      put_float_statement(t);
    else if (pick < 9)
      put_load(t);
    else if (barriers && below(t, 2))
      put_exchange(t);
    else
      put_loop(t);
  }
  for (unsigned k = 0; k < VARIABLES; k++) /* which of two NaNs goes on is the compiler's to say */
    put(t, "  o[%u + y * 64 + x] = f%u == f%u ? f%u : 0;\n  p[%u + y * 64 + x] = v%u;\n", 512 * k, k, k, k, 512 * k, k);
  put(t, "  if (n < 0)\n    o[n + lx + ly] = t[0][0];\n}\n");
}

/* Its last line is the launch: sizes that are multiples of a SIMD group, some with an offset. */
static void put_workload(struct text *t) {
  static const unsigned sizes[][2] = {{32, 16}, {32, 32}, {32, 8}, {48, 24}, {24, 24}, {16, 8}};
  const unsigned *x = sizes[below(t, 6)], y = 1 + below(t, 4), moved = below(t, 3) ? 0 : 1 + below(t, 16);
  put(t, "%slaunches:\n  - {kernel: k, global: [%u, %u], local: [%u, %u], offset: [%u, 0], %s", buffers, x[0], 2 * y,
      x[1], y, moved, all_arguments);
}

static void run(struct emulate_text *t, const char *kernel, const char *workload, const char *simd, bool trace) {
  const struct emulate_options options = {.trace_directory = trace ? "random-simd-traces" : NULL};
  setenv("REASSEMBLE_SIMD", simd, 1);
  setenv("REASSEMBLE_CODEGEN_TIER", trace ? "" : "optimising", 1);
  const int status = emulate_text_run(t, "random_row", kernel, workload, &options);
  if (status)
    print_message("%s\n%s\n", t->error.text, kernel);
  assert_int_equal(status, 0);
}

static bool same_file(const char *path, const char *other) {
  char *a, *b;
  size_t length, other_length;
  struct error error = ERROR_INIT;
  assert_int_equal(file_read(path, 1 << 24, &a, &length, &error), 0);
  assert_int_equal(file_read(other, 1 << 24, &b, &other_length, &error), 0);
  const bool same = length == other_length && memcmp(a, b, length) == 0;
  free(a);
  free(b);
  return same;
}

/* Returns whether the kernel ran in SIMD groups. */
static bool compare_kernel(const char *kernel, const char *workload) {
  struct emulate_text one, grouped, counted;
  run(&one, kernel, workload, "never", true);
  assert_int_equal(rename(one.result.launches[0].trace_path, "one_by_one.rtrace"), 0);
  run(&grouped, kernel, workload, "always", true);
  run(&counted, kernel, workload, "never", false);
  bool same = same_file("one_by_one.rtrace", grouped.result.launches[0].trace_path);
  for (size_t k = 0; k < one.result.buffer_count; k++)
    same &= memcmp(one.result.buffers[k], grouped.result.buffers[k], 4096 * sizeof(float)) == 0 &&
            memcmp(one.result.buffers[k], counted.result.buffers[k], 4096 * sizeof(float)) == 0;
  same &= grouped.result.launches[0].work_item_instructions == counted.result.launches[0].work_item_instructions;
  if (!same)
    print_message("%s%s", kernel, workload);
  assert_true(same);
  const bool in_simd = grouped.result.launches[0].simd_groups > 0;
  emulate_text_clear(&one);
  emulate_text_clear(&grouped);
  emulate_text_clear(&counted);
  return in_simd;
}

static void rows_change_nothing(void **state) {
  struct random_state random = {7};
  unsigned in_simd = 0;
  const unsigned kernels = rounds(KERNELS);
  for (unsigned k = 0; k < kernels; k++) {
    struct text kernel = {.random = &random}, workload = {.random = &random};
    put_kernel(&kernel);
    put_workload(&workload);
    in_simd += compare_kernel(kernel.bytes, workload.bytes);
  }
  assert_true(3 * in_simd > kernels);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
