/* Divisions by a constant zero, of which clang leaves nothing but a warning: a work-item that executes one stops there,
 * and code that none executes is no mistake. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: int, count: 64, init: index}\n"                                                               \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define KERNEL "#define N 0\n__kernel void k(__global int *a) {\n  int i = get_global_id(0);\n"
#define END    "}\n"

struct division_case {
  const char *kernel;
  int line, work_item;
};

static const struct division_case bad[] = {
    {KERNEL "  if (i == 3)\n    a[i] = 3 / 0;\n" END, 5, 3},
    {KERNEL "  if (i > 3)\n    a[i] = i % N;\n" END, 5, 4},
    {KERNEL "  a[i] /=\n    N * 4;\n" END, 4, 0},
    {KERNEL "  const long c = 0;\n  a[i] = i < 17 ? i :\n    3L % c;\n" END, 6, 17},
    {KERNEL "  uchar c = i;\n  if (i == 2)\n    c /= (uchar)0;\n  a[i] = c;\n" END, 6, 2},
    /* what comes of it does not matter, */
    {KERNEL "  if (i == 5) {\n    int unused = 3 / 0;\n  }\n" END, 5, 5},
    {KERNEL "  if (i == 63)\n    (void)(i / 0);\n" END, 5, 63},
    /* or decides, */
    {KERNEL "  if (1 / 0)\n    a[i] = 3;\n" END, 4, 0},
    {KERNEL "  switch (i < 9 ? 0 : 3 % 0) {\n  case 1:\n    a[i] = 3;\n  }\n" END, 4, 9},
    {KERNEL "  a[1 / 0] = 3;\n" END, 4, 0},
    {KERNEL "  for (int j = 0; j < i; j++)\n    if (j == 6)\n      a[i] /= 0;\n" END, 6, 7},
    /* vectors */
    {KERNEL "  int4 v = i;\n  if (i >= 5)\n    v = (int4)(7) / 0;\n  a[i] = v.x;\n" END, 6, 5},
    {KERNEL "  int4 v = i;\n  if (i >= 6)\n    v %= 0;\n  a[i] = v.x;\n" END, 6, 6},
    {KERNEL "  int4 v = i;\n  if (i >= 7)\n    v = v / (int4)(1, 0, 1, 1);\n  a[i] = v.x;\n" END, 6, 7},
    {KERNEL "  long2 v = i;\n  if (i >= 8)\n    v = (long2)(1) % (long2)(0);\n  a[i] = v.x;\n" END, 6, 8},
    /* functions, barriers */
    {"int f(int n) {\n  return n / 0;\n}\nint g(int n) {\n  return f(n);\n}\n" KERNEL
     "  a[i] = i == 9 ? g(i) : 3;\n" END,
     2, 9},
    {KERNEL "  __local int t[16];\n  t[get_local_id(0)] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i == 33)\n"
            "    a[i] = t[3] / 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = 2;\n" END,
     8, 33},
};

static const char *const good[] = {
    KERNEL "  if (i > 64)\n    a[i] = 3 / 0;\n  if (0)\n    a[i] = 3 / 0;\n  if (0 && 3 / 0)\n    a[i] = 4;\n" END,
    KERNEL "  a[i] = i ? 3 / i : i < 64 ? 8 : 4 / 0;\n  a[i] += N ? 4 / N : sizeof(3 / 0);\n" END,
    KERNEL "  if (i > 64)\n    a[i] = ((int4)(3) / 0).x + ((int4)(i) % 0).y;\n" END,
    KERNEL "  int4 v = (int4)(i, 1, 2, 3) / (int4)(1, 2, 3, 4) + (int4)(7) / 2;\n  a[i] = v.x + v.y;\n" END,
    KERNEL "  float f = 3.0f / 0 + i / 0.0f;\n  a[i] = isinf(f) + i / 7 + i % 5 + i / 1;\n" END,
    "int f(int n) {\n  return n / 0;\n}\n" KERNEL "  a[i] = i;\n" END,
};

static void each_division_is_named(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[128];
    snprintf(message, sizeof message, "literal.cl:%d: kernel k, work-item (%d, 0, 0): integer division by zero",
             bad[i].line, bad[i].work_item);
    expect_refusal(i, "literal", bad[i].kernel, BODY, message);
  }
  (void)state;
}

static void what_nobody_executes_is_no_mistake(void **state) {
  (void)state;
  expect_good("unexecuted", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_division_is_named),
      cmocka_unit_test(what_nobody_executes_is_no_mistake),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
