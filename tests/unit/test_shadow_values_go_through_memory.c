/* Undefined values of private variables are found again behind private arrays that stay in memory, second results of
 * built-in functions, and in variables too large for registers; and whatever only looks like such a read passes. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: float, count: 64, init: index}\n"                                                             \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"

/* `x` is unwritten in work-item 9, `one` is 1 and unknown when the kernel is built. */
#define KERNEL "__kernel void k(__global float *a) {\n  int i = get_global_id(0), one = (int)a[63] - 62;\n"
#define X      "  float x;\n  if (i != 9)\n    x = 2;\n"
#define BEGIN  KERNEL X
#define END    "}\n"

struct memory_case {
  const char *kernel;
  int line;
  const char *what;
};

/* The message about bytes that the work-item did not write but copied. */
#define COPIED ", to which line 14 copied private variable \"s\", which it has not written"

static const struct memory_case bad[] = {
    /* built-in functions with two results */
    {BEGIN "  float c;\n  sincos(x, &c);\n  a[i] = c;\n" END, 8, "private variable \"x\""},
    {BEGIN "  float c;\n  fract(x, &c);\n  if (c > 1)\n    a[i] = 2;\n" END, 8, "private variable \"x\""},
    {BEGIN "  __local float l[16];\n  modf(x, &l[i & 15]);\n" END, 7, "private variable \"x\""},
    {BEGIN "  int e;\n  frexp(x, &e);\n  a[i] = e;\n" END, 8, "private variable \"x\""},
    {BEGIN "  remquo(a[i], x, (__global int *)a + i);\n" END, 6, "private variable \"x\""},
    {BEGIN "  int e;\n  lgamma_r(x, &e);\n  a[i] = e;\n" END, 8, "private variable \"x\""},
    {BEGIN "  double4 v = 1, c;\n  v.w = x;\n  sincos(v, &c);\n  a[i] = c.w;\n" END, 9, "private variable \"x\""},
    {BEGIN "  float c[4];\n  sincos(x, &c[one]);\n  a[i] = c[one * 3 - 2];\n" END, 8,
     "4 bytes at byte offset 4 of private variable \"c\", to which it wrote a value made of private variable \"x\""},
    /* arrays */
    {BEGIN "  float c[4] = {0};\n  c[i & 3] = x;\n  a[i] = c[one] + 1;\n" END, 8,
     "4 bytes at byte offset 4 of private variable \"c\", to which it wrote a value made of private variable \"x\""},
    {BEGIN "  float c[4], d[4];\n  for (int j = 0; j < 4; j++)\n    c[j] = x;\n"
           "  for (int j = 0; j < 4; j++)\n    d[j ^ one] = c[j];\n  a[i] = d[one] + 1;\n" END,
     11,
     "4 bytes at byte offset 4 of private variable \"d\", to which it wrote a value made of private variable \"x\""},
    {"typedef struct {\n  float x;\n  int n;\n} S;\n" KERNEL
     "  S c[4], s;\n  s.n = 2;\n  if (i != 9)\n    s.x = 2;\n  for (int j = 0; j < 4; j++)\n    c[j] = s;\n"
     "  a[i] = c[one].x + c[one].n;\n" END,
     13,
     "4 bytes at byte offset 8 of private variable \"c\", to which it wrote a value made of private variable \"s\""},
    {BEGIN "  double16 v = 1, c[4];\n  v.sd = x;\n  for (int j = 0; j < 4; j++)\n    c[j] = v;\n"
           "  a[i] = c[one].sd * 2;\n" END,
     10,
     "128 bytes at byte offset 128 of private variable \"c\", to which it wrote a value made of private variable "
     "\"x\""},
    /* more parts than are followed in registers */
    {"typedef struct {\n  float f[300];\n  int n;\n} S;\n" KERNEL
     "  S s;\n  s.f[3] = 2;\n  if (i != 9)\n    s.n = 1;\n  a[i] = s.n + s.f[3];\n" END,
     11, "4 bytes at byte offset 1200 of private variable \"s\""},
    {"typedef struct {\n  float f[300];\n  int n;\n} S;\nvoid set(S *s, int i) {\n  s->f[3] = 2;\n  if (i != 9)\n"
     "    s->n = 1;\n}\n" KERNEL "  S s, t;\n  set(&s, i);\n  t = s;\n  a[i] = t.n + s.f[3];\n" END,
     15, "4 bytes at byte offset 1200 of private variable \"t\"" COPIED},
    {KERNEL
     "  float t[300], s = 0;\n#pragma unroll\n  for (int j = 0; j < 300; j++)\n    if (i != 9 || j != 200)\n"
     "      t[j] = a[j & 63];\n#pragma unroll\n  for (int j = 0; j < 300; j++)\n    s += t[j];\n  a[i] = s;\n" END,
     10, "4 bytes at byte offset 800 of private variable \"t\""},
};

static const char *const good[] = {
    KERNEL "  float c, x;\n  if (i > 3)\n    x = sincos(a[i], &c);\n  else\n    x = c = 1;\n  a[i] = c + x;\n" END,
    /* another element than the undefined one */
    BEGIN "  float4 v = 1, c;\n  v.w = x;\n  float4 s = sincos(v, &c);\n  a[i] = c.x + s.y;\n" END,
    BEGIN "  float c[4] = {0};\n  c[i & 3] = x;\n  a[i] = c[one + 1] + 1;\n" END,
    BEGIN "  double16 v = 1, c[4];\n  v.sd = x;\n  for (int j = 0; j < 4; j++)\n    c[j] = v;\n"
          "  a[i] = c[one].sc * 2;\n" END,
    "typedef struct {\n  float x;\n  int n;\n} S;\n" KERNEL
    "  S c[4], s;\n  s.n = 2;\n  for (int j = 0; j < 4; j++)\n    c[j] = s;\n  a[i] = c[one].n;\n" END,
    /* written again; only copied */
    BEGIN "  float c[4], d[4];\n  for (int j = 0; j < 4; j++)\n    c[j] = x;\n  for (int j = 0; j < 4; j++)\n"
          "    d[j] = c[j];\n  for (int j = 0; j < 4; j++)\n    c[j] = j;\n  a[i] = c[one] + 1;\n  d[one] = 1;\n"
          "  a[i] += d[one];\n" END,
    /* the value before the first one is never used */
    KERNEL "  float last, c[8], s = 0;\n  if (i == 9)\n    last = 3;\n  for (int j = 0; j < 8; j++) {\n    c[j] = "
           "last;\n    last = a[j];\n  }\n"
           "  for (int j = one; j < 8; j++)\n    s += c[j];\n  a[i] = s;\n" END,
    /* large ones */
    "typedef struct {\n  float f[300];\n  int n;\n} S;\n" KERNEL
    "  S s, t;\n  s.f[3] = 2;\n  if (i != 9)\n    s.n = 1;\n  else\n    s.n = 4;\n  t = s;\n  a[i] = t.n + "
    "t.f[3];\n" END,
    KERNEL "  float t[300], s = 0;\n#pragma unroll\n  for (int j = 0; j < 300; j++)\n    t[j] = a[j & 63];\n"
           "#pragma unroll\n  for (int j = 0; j < 300; j++)\n    s += t[j];\n  a[i] = s;\n" END,
};

static void each_undefined_value_is_named(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[512];
    snprintf(message, sizeof message,
             "through-memory.cl:%d: kernel k, work-item (9, 0, 0): reads %s%s: the value is "
             "undefined; trace --undefined-reads none lets it pass",
             bad[i].line, bad[i].what, strstr(bad[i].what, COPIED) ? "" : ", which it has not written");
    expect_refusal(i, "through-memory", bad[i].kernel, BODY, message);
  }
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("defined", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_undefined_value_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
