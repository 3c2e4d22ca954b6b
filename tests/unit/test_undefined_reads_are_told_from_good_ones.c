/* Reads of memory that nothing has written are named with place and work-item; whatever only looks like one passes. */
#include "expect_error.h"

#include "emulate_text.h"

#define BUFFERS "buffers:\n  A: {type: float, count: 64, init: index}\n  N: {type: float, count: 64, init: none}\n"
#define LAUNCH  BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define LOCAL   BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {local: 256}]}\n"
#define NONE    BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: N}]}\n"

struct kernel_case {
  const char *body, *kernel, *message;
};

static const struct kernel_case bad[] = {
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  __local float t[16];\n  int i = get_local_id(0);\n  if (i != 7)\n"
     "    t[i] = a[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_global_id(0)] = t[15 - i];\n}\n",
     "undefined.cl:7: kernel k, work-item (8, 0, 0): reads 4 bytes at byte offset 28 of local variable \"k.t\", which "
     "no "
     "work-item of the work-group has written: the value is undefined"},
    {LOCAL,
     "__kernel void k(__global float *a, __local float *t) {\n  int i = get_local_id(0);\n  if (i != 7)\n"
     "    t[i] = a[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_global_id(0)] = 2 * t[i];\n}\n",
     "undefined.cl:6: kernel k, work-item (7, 0, 0): reads 4 bytes at byte offset 28 of local memory \"t\" (argument "
     "2, t), "
     "which no work-item of the work-group has written: the value is undefined"},
    {LAUNCH, /* of another work-item, before the barrier */
     "__kernel void k(__global float *a) {\n  __local float t[16];\n  int i = get_local_id(0);\n  t[i] = a[i];\n"
     "  a[get_global_id(0)] = t[15 - i] + 1;\n}\n",
     "undefined.cl:5: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 60 of local variable \"k.t\", which "
     "no "
     "work-item of the work-group has written: the value is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  float t[8];\n  int n = a[get_global_id(0)];\n"
     "  for (int i = 0; i < n % 9; i++)\n    t[i] = i;\n  a[n] = t[(n * 3) % 8] * 2;\n}\n",
     "undefined.cl:6: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 0 of private variable \"t\", which "
     "it has "
     "not written: the value is undefined"},
    {LAUNCH, /* a copy of what is undefined is as undefined */
     "__kernel void k(__global float *a) {\n  __local float t[16], u[16];\n  int i = get_local_id(0);\n  t[i / 2] = "
     "a[i];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  u[i] = t[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  a[get_global_id(0)] = sqrt(u[i]);\n}\n",
     "undefined.cl:8: kernel k, work-item (8, 0, 0): reads 4 bytes at byte offset 32 of local variable \"k.u\", which "
     "no "
     "work-item of the work-group has written: the value is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  __local int count;\n  if (a[get_global_id(0)] > 3)\n"
     "    atomic_inc(&count);\n}\n",
     "undefined.cl:4: kernel k, work-item (4, 0, 0): reads 4 bytes at byte offset 0 of local variable \"k.count\", "
     "which no "
     "work-item of the work-group has written: the value is undefined"},
    {LAUNCH, "__kernel void k(__global float *a) {\n  float x;\n  a[get_global_id(0)] = x;\n}\n",
     "undefined.cl:3: kernel k, work-item (0, 0, 0): reads private variable \"x\", which it has not written: the value "
     "is undefined"},
    {LAUNCH,
     "float f(__global float *a) {\n  float s;\n  for (int i = 0; i < 8; i++)\n    s += a[i];\n  return s;\n}\n"
     "__kernel void k(__global float *a) {\n  if (a[get_global_id(0)] == 9)\n    a[0] = f(a);\n}\n",
     "undefined.cl:4: kernel k, work-item (9, 0, 0): reads private variable \"s\", which it has not written: the value "
     "is undefined"},
    {LAUNCH, /* an array that would live in registers */
     "__kernel void k(__global float *a) {\n  float t[4];\n  int i = get_global_id(0);\n  if (i == 11)\n"
     "    a[i] = t[2];\n}\n",
     "undefined.cl:5: kernel k, work-item (11, 0, 0): reads private variable \"t\", which it has not written: the "
     "value "
     "is undefined"},
    {NONE, "__kernel void k(__global float *a, __global float *n) {\n  int i = get_global_id(0);\n  a[i] += n[i];\n}\n",
     "undefined.cl:3: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 0 of buffer \"N\" (argument 2, n), "
     "which "
     "nothing has written: the value is undefined"},
    {BUFFERS "launches:\n  - {kernel: w, global: 32, local: 16, args: [{buffer: N}]}\n"
             "  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: N}]}\n",
     "__kernel void w(__global float *n) {\n  n[get_global_id(0)] = 1;\n}\n"
     "__kernel void k(__global float *a, __global float *n) {\n  int i = get_global_id(0);\n  a[i] += n[i];\n}\n",
     "undefined.cl:6: kernel k, work-item (32, 0, 0): reads 4 bytes at byte offset 128 of buffer \"N\" (argument 2, "
     "n), "
     "which "
     "nothing has written: the value is undefined"},
};

static const struct kernel_case good[] = {
    {LAUNCH, /* vectors of three, and what is left of the fourth element */
     "__kernel void k(__global float *a) {\n  __local float3 t[16];\n  int i = get_local_id(0);\n  t[i].x = a[i];\n"
     "  t[i].y = 1;\n  t[i].z = 2;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  float3 s = t[15 - i] * 2;\n"
     "  vstore3(s, 0, (__local float *)&t[i]);\n  a[get_global_id(0)] = dot(s, t[i]);\n}\n",
     NULL},
    {LAUNCH, /* elements of a vector one after the other */
     "__kernel void k(__global float *a) {\n  float4 p[4];\n  int i = get_global_id(0);\n  p[i & 3].y = 3;\n"
     "  p[i & 3].xz = a[i];\n  p[i & 3].w = 1;\n  p[(i + 1) & 3] = p[i & 3];\n  a[i] = p[(i + 1) & 3].y;\n}\n",
     NULL},
    {LAUNCH, /* structures with padding and a member that is never set, copied whole */
     "typedef struct { char c; double d; int unset, set; } S;\n__kernel void k(__global float *a) {\n"
     "  __local S t[16];\n  S p[3];\n  int i = get_local_id(0);\n  t[i].c = i;\n  t[i].d = a[i];\n  t[i].set = i;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  p[i % 3] = t[15 - i];\n  p[(i + 1) % 3] = p[i % 3];\n  S s = p[(i + 1) % 3];\n"
     "  a[get_global_id(0)] = s.c + s.d + s.set;\n}\n",
     NULL},
    {LAUNCH, /* small structures move as integers */
     "typedef struct { short s; char c; } S;\n__kernel void k(__global float *a) {\n  __local S t[16];\n"
     "  int i = get_local_id(0);\n  t[i].s = i;\n  t[i].c = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  S s = t[15 - i];\n"
     "  a[get_global_id(0)] = s.s + s.c;\n}\n",
     NULL},
    {LAUNCH, /* written on the ways that are taken, in every iteration, element by element */
     "float f(float y) {\n  float z;\n  if (y > 3)\n    z = 2;\n  else\n    z = 3;\n  return z;\n}\n"
     "__kernel void k(__global float *a) {\n  float x, y;\n  float4 v;\n  int i = get_global_id(0);\n  v.x = a[0];\n"
     "  v.yzw = 1;\n  switch (i & 1) {\n  case 0:\n    x = 3;\n    break;\n  default:\n    x = 4;\n  }\n"
     "  for (int j = 0; j < 3; j++) {\n    float u;\n    if (j == 0)\n      y = 1;\n    else\n      y += 1;\n    u = "
     "y;\n"
     "    x += u;\n  }\n  float t[3];\n  for (int j = 0; j < 3; j++)\n    t[j] = j;\n  a[i] = x + f(y) + v.z + "
     "t[2];\n}\n",
     NULL},
    {LAUNCH, /* read only where it was written: the optimiser may load earlier */
     "__kernel void k(__global float *a) {\n  __local float t[2];\n  int i = get_local_id(0);\n"
     "  if (a[0] > 100)\n    t[0] = 1;\n  t[1] = 3;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  float s = 0;\n"
     "  for (int j = 0; j < 4; j++)\n    s += a[0] > 100 ? t[0] : t[1];\n  a[get_global_id(0)] = s;\n}\n",
     NULL},
    {LOCAL, /* copies by the work-group */
     "__kernel void k(__global float *a, __local float *t) {\n  event_t e = async_work_group_copy(t, a, 16, 0);\n"
     "  wait_group_events(1, &e);\n  a[get_global_id(0)] = t[15 - get_local_id(0)];\n}\n",
     NULL},
    {LAUNCH, /* an exchange asks for nothing */
     "__kernel void k(__global float *a) {\n  __local int t[16];\n  int i = get_local_id(0);\n"
     "  atomic_xchg(&t[i], i);\n  atomic_add(&t[i], 2);\n  a[get_global_id(0)] = t[i];\n}\n",
     NULL},
    {LAUNCH, /* bytes, then read as a whole */
     "__kernel void k(__global float *a) {\n  uchar t[16];\n  int i = get_global_id(0);\n"
     "  for (int j = 0; j < 4; j++)\n    t[4 * (i & 3) + j] = i;\n  a[i] = as_int(vload4(i & 3, t)) + t[4 * (i & "
     "3)];\n}\n",
     NULL},
    {NONE,
     "__kernel void k(__global float *a, __global float *n) {\n  int i = get_global_id(0);\n  n[i] = 0;\n"
     "  for (int j = 0; j < 4; j++)\n    n[i] += a[j];\n  a[i] = n[i];\n}\n",
     NULL},
    {BUFFERS "launches:\n  - {kernel: w, global: 64, local: 16, args: [{buffer: N}]}\n"
             "  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: N}]}\n",
     "__kernel void w(__global float *n) {\n  n[get_global_id(0)] = 1;\n}\n"
     "__kernel void k(__global float *a, __global float *n) {\n  int i = get_global_id(0);\n  a[i] += n[63 - i];\n}\n",
     NULL},
};

static void each_undefined_read_is_named(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct emulate_text t;
    const struct emulate_options options = {0};
    assert_int_equal(emulate_text_run(&t, "undefined", bad[i].kernel, bad[i].body, &options), -1);
    expect_error(&t.error, bad[i].message);
    assert_int_equal(t.error.kind, ERROR_WORK);
    emulate_text_clear(&t);
  }
  (void)state;
}

static void good_kernels_pass(void **state) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct emulate_text t;
    const struct emulate_options options = {.undefined_reads = UNDEFINED_READS_ALL, .jobs = 1 + i % 2};
    if (emulate_text_run(&t, "defined", good[i].kernel, good[i].body, &options))
      fail_msg("case %zu: %s", i, t.error.text);
    emulate_text_clear(&t);
  }
  (void)state;
}

/* Group 5 is neither among the first nor a power of two nor the last. */
static void which_groups_are_looked_at(void **state) {
  static const char kernel[] =
      "__kernel void k(__global float *a) {\n  __local float t[1];\n  int i = get_global_id(0);\n  if (i != 5)\n"
      "    t[0] = i;\n  a[i] = t[i / 100];\n}\n";
  static const int expected[] = {[UNDEFINED_READS_SOME] = 0, [UNDEFINED_READS_ALL] = -1, [UNDEFINED_READS_NONE] = 0};
  for (int which = UNDEFINED_READS_SOME; which <= UNDEFINED_READS_NONE; which++) {
    struct emulate_text t;
    const struct emulate_options options = {.undefined_reads = (enum undefined_reads)which};
    assert_int_equal(emulate_text_run(&t, "which-groups", kernel,
                                      BUFFERS "launches:\n  - {kernel: k, global: 64, local: 1, args: [{buffer: A}]}\n",
                                      &options),
                     expected[which]);
    emulate_text_clear(&t);
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_undefined_read_is_named),
      cmocka_unit_test(good_kernels_pass),
      cmocka_unit_test(which_groups_are_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
