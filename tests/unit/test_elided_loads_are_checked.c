/* Loads out of bounds that the optimiser removes, makes narrower or moves behind a branch, because their value, or some
 * of it, is not used; and whatever only looks like one passes. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: int, count: 64, init: index}\n  B: {type: int, count: 62}\n"                                  \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: B}]}\n"
#define KERNEL "__kernel void k(__global int *a, __global int *b) {\n  int i = get_global_id(0);\n"
#define END    "}\n"

#define OF_A " of buffer \"A\" (argument 1, a), which holds 256 bytes"
#define OF_B " of buffer \"B\" (argument 2, b), which holds 248 bytes"

static const struct kernel_mistake bad[] = {
    /* removed */
    {KERNEL "  int unused = a[4 * i + 4];\n" END, 3, 15, "load of 4 bytes at byte offset 256" OF_A},
    {KERNEL "  a[2 * i];\n" END, 3, 32, "load of 4 bytes at byte offset 256" OF_A},
    {KERNEL "  if (i > 60) {\n    int unused = 3 * a[i + 2] + 1;\n  }\n" END, 4, 62,
     "load of 4 bytes at byte offset 256" OF_A},
    {"int f(__global int *p) {\n  int x = p[62];\n  return 3;\n}\n" KERNEL "  a[i] = f(b);\n" END, 2, 0,
     "load of 4 bytes at byte offset 248" OF_B},
    {KERNEL "  __local int t[16];\n  t[get_local_id(0)] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  int unused = t[get_local_id(0) + 1];\n" END,
     6, 15, "load of 4 bytes at byte offset 64 of local variable \"k.t\", which holds 64 bytes"},
    /* moved behind the branch */
    {KERNEL "  int v = a[i + 1];\n  if (i < 63)\n    b[i & 31] = v;\n" END, 3, 63,
     "load of 4 bytes at byte offset 256" OF_A},
    {KERNEL "  int v = b[i + 1];\n  for (int j = i; j < 61; j++)\n    a[j] += v;\n" END, 3, 61,
     "load of 4 bytes at byte offset 248" OF_B},
    /* made narrower */
    {KERNEL "  int4 v = vload4(0, a + i);\n  b[i & 31] = v.x;\n" END, 3, 61,
     "load of 16 bytes at byte offset 244" OF_A},
    {KERNEL "  a[i] = ((__global int4 *)b)[i & 15].x;\n" END, 3, 15, "load of 16 bytes at byte offset 240" OF_B},
    {"typedef struct {\n  int x, y, z, w;\n} S;\n" KERNEL "  S s = ((__global S *)b)[i & 15];\n  a[i] = s.x;\n" END, 6,
     15, "load of 16 bytes at byte offset 240" OF_B},
};

static const char *const good[] = {
    KERNEL "  int v = i < 62 ? b[i] : 0;\n  if (i < 61)\n    a[i] = v;\n" END,
    KERNEL "  int unused = a[i];\n  int4 v = vload4(i & 7, b);\n  a[i] = v.x + v.w;\n" END,
    /* merged, and taken out of a loop */
    KERNEL "  int s = 0;\n  for (int j = 0; j < 4; j++)\n    s += b[i & 31] +\n      a[i];\n  a[i] = a[i] + s;\n" END,
    KERNEL "  if (i >= 62)\n    return;\n  int v = b[i];\n  if (i & 1)\n    a[i] = v;\n" END,
    KERNEL
    "  __global int *p = b + 64;\n  int v = a[i], w = a[63 - i];\n  if (v > w)\n    a[i] = p[-3 - (i & 31)];\n" END,
};

static void each_load_is_named(void **state) {
  expect_mistakes("needless", bad, sizeof bad / sizeof *bad, BODY, "");
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("needed", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_load_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
