/* Accesses outside of private variables that live in registers, to elements that a vector does not have and through
 * null pointers, of which nothing is left in optimised code; and whatever only looks like one passes. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: float, count: 64, init: index}\n"                                                             \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define KERNEL "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n"
#define END    "}\n"
#define UNROLL "#pragma unroll\n"

static const struct kernel_mistake bad[] = {
    {/* one too many, unrolled */
     KERNEL "  float t[4], s = 0;\n" UNROLL "  for (int j = 0; j <= 4; j++)\n    t[j] = i;\n" UNROLL
            "  for (int j = 0; j < 4; j++)\n    s += t[j];\n  a[i] = s;\n" END,
     6, 0, "store of 4 bytes at byte offset 16 of private variable \"t\", which holds 16 bytes"},
    {KERNEL "  float t[4] = {1, 2, 3, 4}, s = 0;\n" UNROLL
            "  for (int j = -1; j < 4; j++)\n    s += t[j];\n  a[i] = s;\n" END,
     6, 0, "load of 4 bytes at byte offset -4 of private variable \"t\", which holds 16 bytes"},
    {/* constant indices, through a pointer, in some work-items */
     KERNEL "  int t[4] = {0}, *p = t;\n  if (i == 40)\n    p[4] = 3;\n  a[i] = t[0] + t[3];\n" END, 5, 40,
     "store of 4 bytes at byte offset 16 of private variable \"t\", which holds 16 bytes"},
    {/* in a function */
     "int last(int *t, int n) {\n  return t[n];\n}\n" KERNEL
     "  int t[2] = {i, i};\n  a[i] = i == 3 ? last(t, 2) : last(t, 1);\n" END,
     2, 3, "load of 4 bytes at byte offset 8 of private variable \"t\", which holds 8 bytes"},
    {/* a member of a structure, as a vector */
     "typedef struct {\n  int n;\n  float f[2];\n} S;\n" KERNEL
     "  S s = {1, {2, 3}};\n  float4 v = vload4(0, s.f);\n  a[i] = v.x + v.w;\n" END,
     8, 0, "load of 16 bytes at byte offset 4 of private variable \"s\", which holds 12 bytes"},
    {KERNEL "  float4 v = i;\n  a[i] = v[i & 7];\n" END, 4, 4, "element 4 of a vector that has 4"},
    {KERNEL "  int2 v = i;\n  v[i - 5 < 0 ? 0 : i - 5] = 1;\n  a[i] = v.x + v.y;\n" END, 4, 7,
     "element 2 of a vector that has 2"},
    {KERNEL "  int *p = 0, x = i;\n  if (i != 6)\n    p = &x;\n  a[i] = *p;\n" END, 6, 6,
     "load of 4 bytes of private memory through a null pointer"},
    {"int *find(int *t, int n) {\n  return n < 50 ? t + n % 3 : 0;\n}\n" KERNEL
     "  int t[3] = {1, 2, 3};\n  *find(t, i) = 5;\n  a[i] = t[0] + t[1];\n" END,
     7, 50, "store of 4 bytes of private memory through a null pointer"},
};

static const char *const good[] = {
    KERNEL "  float t[4], s = 0;\n" UNROLL "  for (int j = 0; j < 8; j++)\n    if (j < 4)\n      t[j] = i;\n" UNROLL
           "  for (int j = 0; j < 4; j++)\n    s += t[j] + (j < 3 ? t[j + 1] : 0);\n  a[i] = s;\n" END,
    /* pointers one behind the last, and from the end */
    KERNEL "  float t[4] = {1, 2, 3, 4}, s = 0, *end = t + 4;\n" UNROLL
           "  for (float *p = t; p != end; p++)\n    s += *p;\n  a[i] = s + end[-1] + (t + 8)[-7];\n" END,
    "int sum(const int *t, int n) {\n  int s = 0;\n  for (int j = 0; j < n; j++)\n    s += t[j];\n  return "
    "s;\n}\n" KERNEL
    "  int t[2][3] = {{1, 2, 3}, {4, 5, 6}};\n  a[i] = sum(t[0], 6) + sum(t[1], i % 4) + (&t[1][0])[-1];\n" END,
    "typedef struct {\n  int n;\n  float f[3];\n  float2 v;\n} S;\n" KERNEL
    "  S s = {1, {2, 3, 4}, (float2)(5)}, t = s;\n  a[i] = vload3(0, t.f).z + t.f[i % 3] + ((int *)&t)[1];\n" END,
    KERNEL "  float4 v = i;\n  v[i & 3] = 2;\n  for (int j = 0; j < 4; j++)\n    a[i] += v[j];\n" END,
    KERNEL "  int *p = 0, x = i;\n  if (i != 6)\n    p = &x;\n  if (p)\n    a[i] = *p;\n" END,
    "void set(int *x, int *y) {\n  *x = 1;\n  if (y)\n    *y = 2;\n}\n" KERNEL
    "  int x, y = 0;\n  set(&x, 0);\n  set(&x, &y);\n  a[i] = x + y;\n" END,
};

static void each_lost_access_is_named(void **state) {
  expect_mistakes("lost", bad, sizeof bad / sizeof *bad, BODY, "");
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("kept", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_lost_access_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
