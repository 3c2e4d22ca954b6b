/* Values lie at multiples of their size, in every address space; what is packed, and what vloadn and vstoren touch, may
 * lie anywhere that its elements may. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: int, count: 64, init: index}\n"                                                               \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define KERNEL "__kernel void k(__global int *a) {\n  int i = get_global_id(0);\n"
#define END    "}\n"

/* The ends of messages about scalars, and about whole vectors. */
#define VALUE  "; values lie at multiples of their size"
#define VECTOR "; whole vectors lie at multiples of their size, vloadn and vstoren take any place"

static const struct kernel_mistake bad[] = {
    {KERNEL "  a[i] = *(__global int *)((__global char *)a + 1);\n" END, 3, 0,
     "load of 4 bytes at byte offset 1 of buffer \"A\" (argument 1, a), which holds 256 bytes" VALUE},
    {KERNEL "  if (i > 2)\n    *(__global int *)((__global char *)a + i * 2) = 3;\n" END, 4, 3,
     "store of 4 bytes at byte offset 6 of buffer \"A\" (argument 1, a), which holds 256 bytes" VALUE},
    {KERNEL "  *(__global long *)(a + (i & 7)) = 3;\n" END, 3, 1,
     "store of 8 bytes at byte offset 4 of buffer \"A\" (argument 1, a), which holds 256 bytes" VALUE},
    {KERNEL "  *(__global int2 *)(a + (i & 7)) = 3;\n" END, 3, 1,
     "store of 8 bytes at byte offset 4 of buffer \"A\" (argument 1, a), which holds 256 bytes" VECTOR},
    {KERNEL "  atomic_inc((volatile __global int *)((__global short *)a + (i & 7)));\n" END, 3, 1,
     "atomic operation of 4 bytes at byte offset 2 of buffer \"A\" (argument 1, a), which holds 256 bytes" VALUE},
    {KERNEL "  __local char t[64];\n  for (int j = 0; j < 64; j++)\n    t[j] = j;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  a[i] = *(__local int *)(t + 4 * (i & 3) + 3);\n" END,
     7, 0, "load of 4 bytes at byte offset 3 of local variable \"k.t\", which holds 64 bytes" VALUE},
    {KERNEL "  char t[64];\n  for (int j = 0; j < 64; j++)\n    t[j] = a[j];\n  a[i] = *(short *)(t + i * 7);\n" END, 6,
     1, "load of 2 bytes at byte offset 7 of private variable \"t\", which holds 64 bytes" VALUE},
    {"__constant char t[64] = {1, 2, 3};\n" KERNEL "  a[i] = *(__constant float *)(i == 9 ? t + 2 : t + 4);\n" END, 4,
     9, "load of 4 bytes at byte offset 2 of constant variable \"t\", which holds 64 bytes" VALUE},
    {"typedef struct {\n  char c;\n  int b;\n} S;\n" KERNEL
     "  a[i] = ((__global S *)((__global char *)a + (i & 1)))->b;\n" END,
     7, 1, "load of 4 bytes at byte offset 5 of buffer \"A\" (argument 1, a), which holds 256 bytes" VALUE},
    {/* where the buffer is only known while running */
     "__constant char t[64] = {1, 2, 3};\n" KERNEL
     "  long at = (long)a + (i == 5);\n  a[i] = *(__global int *)at;\n" END,
     5, 5, "load of 4 bytes of global memory through a pointer that is cast" VALUE},
};

static const char *const good[] = {
    "typedef struct __attribute__((packed)) {\n  char c;\n  int b;\n} S;\n" KERNEL
    "  __global S *s = (__global S *)a;\n  s[i & 7].b = 3;\n  a[i] = s[3].b;\n" END,
    "typedef struct {\n  char c;\n  int b;\n  short s;\n  double d;\n  float3 v;\n} S;\n" KERNEL
    "  __global S *s = (__global S *)a;\n  s[i & 1].d = 3;\n  s[1].s = 4;\n  s[i & 1].v = 4;\n  S t = s[1];\n"
    "  a[i] = t.d;\n" END,
    KERNEL "  char t[64];\n  for (int j = 0; j < 64; j++)\n    t[j] = a[j];\n  a[i] = *(int *)(t + (i & 7) * 4);\n" END,
    KERNEL "  a[i] = vload4(0, a + 3).x + vload2(1, (__global char *)a + 3).x;\n"
           "  vstore3((int3)(1), 2, a + 1);\n" END,
    KERNEL "  for (__global char *p = (__global char *)a; p < (__global char *)(a + 20); p += 4)\n"
           "    *(__global int *)p += 3;\n" END,
    KERNEL "  *(__global int *)((__global char *)a + ((i * 3) & ~3)) = 3;\n" END,
};

static void each_access_is_named(void **state) {
  expect_mistakes("skewed", bad, sizeof bad / sizeof *bad, BODY, "");
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("straight", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_access_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
