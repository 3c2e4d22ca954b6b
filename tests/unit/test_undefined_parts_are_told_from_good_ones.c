/* Parts of private variables - members, elements, halves - that nothing has written are told from those that are, also
 * where the optimiser keeps the variable in registers; and whatever only looks like such a read passes. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: float, count: 64, init: index}\n"                                                             \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"

struct part_case {
  const char *kernel;
  int line, work_item;
  const char *what;
};

static const struct part_case bad[] = {
    {/* a member on one way only */
     "typedef struct {\n"
     "  float x, y;\n"
     "} S;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s;\n"
     "  s.x = 1;\n"
     "  if (i != 7)\n"
     "    s.y = 2;\n"
     "  a[i] = s.x + s.y;\n"
     "}\n",
     10, 7, "4 bytes at byte offset 4 of private variable \"s\""},
    {/* never, and a structure within a structure */
     "typedef struct {\n"
     "  float x;\n"
     "  struct {\n"
     "    int p;\n"
     "    float4 q;\n"
     "  } in;\n"
     "} S;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s;\n"
     "  s.in.p = i;\n"
     "  s.in.q.xy = 2;\n"
     "  a[i] = i > 3 ? s.in.q.z : s.in.p;\n"
     "}\n",
     13, 4, "16 bytes at byte offset 32 of private variable \"s\""},
    {/* returned by a function, and copied */
     "typedef struct {\n"
     "  float x, y, z;\n"
     "} S;\n"
     "S f(int i) {\n"
     "  S s;\n"
     "  s.x = i;\n"
     "  if (i & 1)\n"
     "    s.y = 2;\n"
     "  return s;\n"
     "}\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s = f(i), t;\n"
     "  t = s;\n"
     "  a[i] = t.x * t.y;\n"
     "}\n",
     15, 0, "4 bytes at byte offset 4 of private variable \"s\""},
    {/* given to a function */
     "typedef struct {\n"
     "  float x, y, z;\n"
     "} S;\n"
     "float f(S s) {\n"
     "  return s.x + s.y;\n"
     "}\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s;\n"
     "  s.x = 4;\n"
     "  if (i != 2)\n"
     "    s.y = 1;\n"
     "  a[i] = f(s);\n"
     "}\n",
     13, 2, "4 bytes at byte offset 4 of private variable \"s\""},
    {/* set by a function, or not */
     "void set(float *s, int i) {\n"
     "  if (i != 2)\n"
     "    *s = i;\n"
     "}\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  float s;\n"
     "  set(&s, i);\n"
     "  a[i] = s;\n"
     "}\n",
     9, 2, "private variable \"s\""},
    {/* an array with constant indices */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  float t[2][2];\n"
     "  t[0][0] = i;\n"
     "  t[0][1] = t[1][0] = 4;\n"
     "  if (i == 63)\n"
     "    t[1][1] = 4;\n"
     "  a[i] = t[0][0] * t[1][1];\n"
     "}\n",
     8, 0, "4 bytes at byte offset 12 of private variable \"t\""},
    {/* an array in registers because its loops are unrolled */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  float t[4], s = 0;\n"
     "#pragma unroll\n"
     "  for (int j = 0; j < 4; j++)\n"
     "    if (i != 9 || j != 2)\n"
     "      t[j] = a[j];\n"
     "#pragma unroll\n"
     "  for (int j = 0; j < 4; j++)\n"
     "    s += t[j];\n"
     "  a[i] = s;\n"
     "}\n",
     11, 9, "4 bytes at byte offset 8 of private variable \"t\""},
    {/* an element of a vector that is set elsewhere */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  float4 v;\n"
     "  v.xyz = i;\n"
     "  if (i != 3)\n"
     "    v.w = 2;\n"
     "  a[i] = v.x + v.w;\n"
     "}\n",
     7, 3, "private variable \"v\""},
    {/* half of a union */
     "typedef union {\n"
     "  double d;\n"
     "  float f[2];\n"
     "} U;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  U u;\n"
     "  u.f[0] = i;\n"
     "  if (i != 5)\n"
     "    u.f[1] = 1;\n"
     "  a[i] = u.f[1] + 1;\n"
     "}\n",
     11, 5, "8 bytes at byte offset 0 of private variable \"u\""},
    {/* the upper half of a number */
     "typedef union {\n"
     "  ulong l;\n"
     "  uint w[2];\n"
     "} U;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  U u;\n"
     "  u.w[0] = i;\n"
     "  if (i != 4)\n"
     "    u.w[1] = 0;\n"
     "  if (u.l >> 32)\n"
     "    a[i] = 0;\n"
     "}\n",
     11, 4, "8 bytes at byte offset 0 of private variable \"u\""},
    {/* a pointer in a structure */
     "typedef struct {\n"
     "  __global float *p;\n"
     "  int n;\n"
     "} S;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s;\n"
     "  s.n = 1;\n"
     "  if (i != 8)\n"
     "    s.p = a;\n"
     "  s.p[i] = s.n;\n"
     "}\n",
     11, 8, "8 bytes at byte offset 0 of private variable \"s\""},
    {/* bits that were shifted */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0), x;\n"
     "  if (i > 3)\n"
     "    x = 4;\n"
     "  a[i] = x << 8;\n"
     "}\n",
     5, 0, "private variable \"x\""},
    {/* read in the first iteration */
     "typedef struct {\n"
     "  float x, y;\n"
     "} S;\n"
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  S s;\n"
     "  for (int j = 0; j < 3; j++) {\n"
     "    if (j > 0 || i == 7)\n"
     "      a[i] += s.y;\n"
     "    s.y = j;\n"
     "  }\n"
     "}\n",
     9, 7, "4 bytes at byte offset 4 of private variable \"s\""},
    {/* picked by a mask that is known while the kernel runs */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  float4 v;\n"
     "  v.xy = i;\n"
     "  float2 r = shuffle(v, (uint2)(i & 1, i == 9 ? 2 : 0));\n"
     "  if (r.y > 5)\n"
     "    a[i] = 1;\n"
     "}\n",
     6, 9, "private variable \"v\""},
    {/* by a mask of which an element was not written */
     "__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0);\n"
     "  uint2 m;\n"
     "  m.x = i & 1;\n"
     "  if (i != 20)\n"
     "    m.y = 1;\n"
     "  float2 r = shuffle2(vload2(0, a), (float2)(i), m);\n"
     "  if (r.y > 5)\n"
     "    a[i + 2] = 1;\n"
     "}\n",
     8, 20, "private variable \"m\""},
};

static const char *const good[] = {
    /* picked by a mask: of registers, and of arrays in memory as a sort fills them */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  float4 v, w;\n"
    "  union {\n"
    "    ushort8 v;\n"
    "    ushort e[8];\n"
    "  } all, ones, mask;\n"
    "  v.xy = a[i];\n"
    "  w.z = i;\n"
    "  float4 r = shuffle2(v, w, (uint4)(6, i & 1, 0, 14));\n"
    "  float2 s = shuffle(v, (uint2)(i & 1, 4 + (i & 1)));\n"
    "  int zeros = 0, others = 0;\n"
    "  all.v = (ushort8)(i) * (ushort8)(3, 1, 4, 1, 5, 9, 2, 6);\n"
    "  for (int j = 0; j < 8; j++)\n"
    "    if (all.e[j] & 1)\n"
    "      ones.e[others++] = all.e[j];\n"
    "    else\n"
    "      mask.e[zeros++] = j;\n"
    "  for (int j = zeros; j < 8; j++)\n"
    "    mask.e[j] = 8 - zeros + j;\n"
    "  if (others > 0)\n"
    "    all.v = shuffle2(all.v, ones.v, mask.v);\n"
    "  if (r.x + r.y + r.z + r.w + s.x + s.y + all.v.s7 > 5)\n"
    "    a[i] = all.v.s0;\n"
    "}\n",
    /* padding; what is copied and not read */
    "typedef struct {\n"
    "  char c;\n"
    "  int x;\n"
    "  short s;\n"
    "  double d;\n"
    "  int unset;\n"
    "} S;\n"
    "S f(int i) {\n"
    "  S s;\n"
    "  s.c = i;\n"
    "  s.x = 1;\n"
    "  s.s = 2;\n"
    "  s.d = 4;\n"
    "  return s;\n"
    "}\n"
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  S s = f(i), t = s, u[2];\n"
    "  u[i & 1] = t;\n"
    "  u[1 - (i & 1)] = s;\n"
    "  a[i] = u[0].c + u[1].x + t.s + t.d;\n"
    "}\n",
    /* a structure, half set, goes to a buffer */
    "typedef struct {\n"
    "  float x, y;\n"
    "} S;\n"
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0) / 2;\n"
    "  S s;\n"
    "  s.x = 1;\n"
    "  if (i & 1)\n"
    "    s.y = 2;\n"
    "  ((__global S *)a)[i] = s;\n"
    "}\n",
    /* bytes of a number, one of them unset and masked */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  union {\n"
    "    uchar b[4];\n"
    "    uint w;\n"
    "  } u;\n"
    "  u.b[0] = 1;\n"
    "  u.b[1] = i;\n"
    "  u.b[2] = 3;\n"
    "  a[i] = u.w & 0xffff00;\n"
    "  uchar4 c;\n"
    "  c.xyz = (uchar3)(i, 1, 2);\n"
    "  if ((as_uint(c) & 0xffffff) == 5)\n"
    "    a[i] = as_uint(c) << 8;\n"
    "}\n",
    /* a pixel without its fourth channel */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  uchar4 p;\n"
    "  p.xyz = (uchar3)(i, 1, 2);\n"
    "  ((__global int *)a)[i] = as_int(p);\n"
    "  ((__global uchar4 *)a)[i] = p;\n"
    "  float3 v, w;\n"
    "  v.x = 1;\n"
    "  v.yz = i;\n"
    "  w = v * 2 + 1;\n"
    "  ((__global float3 *)a)[i / 4] = cross(v, w);\n"
    "}\n",
    /* unions seen as other types */
    "typedef union {\n"
    "  uint4 v;\n"
    "  uchar b[16];\n"
    "  float f[4];\n"
    "} U;\n"
    "typedef union {\n"
    "  double d;\n"
    "  uint w[2];\n"
    "  float f;\n"
    "} V;\n"
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  U u;\n"
    "  u.v = i;\n"
    "  u.b[5] = 1;\n"
    "  U w = u;\n"
    "  V v;\n"
    "  v.w[0] = i;\n"
    "  v.w[1] = 0;\n"
    "  a[i] = w.f[2] + w.v.y + w.b[5] + (v.d > 1 ? 1 : v.f);\n"
    "}\n",
    /* which member is set depends on another one */
    "typedef struct {\n"
    "  float x, y, z;\n"
    "  int kind;\n"
    "} S;\n"
    "float f(S s) {\n"
    "  return s.kind ? s.x : s.y;\n"
    "}\n"
    "int g(int i, S *s) {\n"
    "  if (i > 3)\n"
    "    s->x = s->y = 2;\n"
    "  return i > 3;\n"
    "}\n"
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  S s, t;\n"
    "  s.kind = i & 1;\n"
    "  if (s.kind)\n"
    "    s.x = 3;\n"
    "  else\n"
    "    s.y = 4;\n"
    "  a[i] = f(s);\n"
    "  if (g(i, &t))\n"
    "    a[i] = t.x + t.y;\n"
    "}\n",
    /* arrays that loops fill, unrolled or not */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  float t[4], x, u[4];\n"
    "#pragma unroll\n"
    "  for (int j = 0; j < 4; j++)\n"
    "    t[j] = a[j];\n"
    "  for (int n = 0; n < 3; n++)\n"
    "#pragma unroll\n"
    "    for (int j = 0; j < 3; j++)\n"
    "      if (t[j] > t[j + 1]) {\n"
    "        x = t[j];\n"
    "        t[j] = t[j + 1];\n"
    "        t[j + 1] = x;\n"
    "      }\n"
    "  for (int j = 0; j < 4; j++)\n"
    "    u[j] = t[j];\n"
    "  a[i] = t[0] + u[3] + u[i & 3];\n"
    "}\n",
    /* a loop whose branch the optimiser would ask before it */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0), n = a[i] > 3 ? 8 : 3, mode;\n"
    "  if (n > 3)\n"
    "    mode = n;\n"
    "  for (int j = 0; j < n - 3; j++)\n"
    "    a[i] += mode > 4 ? 1 : 2;\n"
    "}\n",
    /* stores through pointers of another type, and by built-in functions */
    "__kernel void k(__global float *a) {\n"
    "  int i = get_global_id(0);\n"
    "  float4 v;\n"
    "  float *p = (float *)&v, w[2];\n"
    "  for (int j = 0; j < 4; j++)\n"
    "    p[j] = a[j];\n"
    "  uint u[2];\n"
    "  *(ulong *)u = i * 3ul;\n"
    "  w[0] = fract(a[i], &w[1]);\n"
    "  uchar c[4];\n"
    "  vstore4((uchar4)(i), 0, c);\n"
    "  a[i] = dot(v, v) + u[0] + u[1] + w[0] + w[1] + as_uint(vload4(0, c));\n"
    "}\n",
};

static void each_undefined_part_is_named(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[512];
    snprintf(message, sizeof message,
             "undefined-part.cl:%d: kernel k, work-item (%d, 0, 0): reads %s, which it has not written: the value is "
             "undefined; trace --undefined-reads none lets it pass",
             bad[i].line, bad[i].work_item, bad[i].what);
    expect_refusal(i, "undefined-part", bad[i].kernel, BODY, message);
  }
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("defined-part", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_undefined_part_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
