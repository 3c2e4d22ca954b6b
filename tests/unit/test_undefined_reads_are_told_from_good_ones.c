/* Reads of memory that nothing has written are named with place and work-item; whatever only looks like one passes. */
#include "expect_error.h"

#include "emulate_text.h"

#define BUFFERS "buffers:\n  A: {type: float, count: 64, init: index}\n  N: {type: float, count: 64, init: none}\n"
#define LAUNCH  BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define LOCAL   BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {local: 256}]}\n"
#define NONE    BUFFERS "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: N}]}\n"

#define LET_PASS "trace --undefined-reads none lets it pass"

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
     "undefined.cl:8: kernel k, work-item (8, 0, 0): reads 4 bytes at byte offset 32 of local variable \"k.u\", to "
     "which line 6 copied local variable \"k.t\", which no work-item of the work-group has written: the value is "
     "undefined"},
    {LAUNCH, /* the private array is written, with what is undefined */
     "__kernel void k(__global float *a) {\n  __local float t[16];\n  float p[16] = {0};\n  int i = a[0];\n"
     "  t[get_local_id(0) / 2] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  p[i & 15] = t[get_local_id(0) | 8];\n"
     "  a[get_global_id(0)] = sqrt(p[(i * 2) & 15]);\n}\n",
     "undefined.cl:8: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 0 of private variable \"p\", to "
     "which line 7 copied local variable \"k.t\", which no work-item of the work-group has written: the value is "
     "undefined"},
    {LOCAL, /* through two private arrays, and local memory of an argument */
     "__kernel void k(__global float *a, __local float *t) {\n  float p[16] = {0}, q[16] = {0};\n  int i = a[0];\n"
     "  p[i & 15] = t[get_local_id(0)];\n  q[(i + 1) & 15] = p[(i * 3) & 15];\n"
     "  a[get_global_id(0)] = sqrt(q[(i * 2 + 1) & 15]);\n}\n",
     "undefined.cl:6: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 4 of private variable \"q\", to "
     "which line 4 copied local memory \"t\" (argument 2, t), which no work-item of the work-group has written: the "
     "value is undefined"},
    {NONE, /* a buffer */
     "__kernel void k(__global float *a, __global float *n) {\n  float p[16] = {0};\n  int i = a[0];\n"
     "  p[i & 15] = n[get_local_id(0)];\n  a[get_global_id(0)] = sqrt(p[(i * 2) & 15]);\n}\n",
     "undefined.cl:5: kernel k, work-item (0, 0, 0): reads 4 bytes at byte offset 0 of private variable \"p\", to "
     "which line 4 copied buffer \"N\" (argument 2, n), which nothing has written: the value is undefined"},
    {LAUNCH, /* a vector of which nothing was written, computed with and stored where it is looked at, too */
     "__kernel void k(__global float *a) {\n  __local float4 t[16], u[16];\n  int i = get_local_id(0);\n"
     "  if (i != 5)\n    t[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  u[i] = t[i] * 2;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_global_id(0)] = u[15 - i].y;\n}\n",
     "undefined.cl:7: kernel k, work-item (5, 0, 0): reads 16 bytes at byte offset 80 of local variable \"k.t\", which "
     "no work-item of the work-group has written: the value is undefined"},
    {LAUNCH, /* the same, where elements are picked by a mask */
     "__kernel void k(__global float *a) {\n  __local float4 t[16];\n  int i = get_local_id(0);\n"
     "  if (i != 5)\n    t[i].y = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  a[get_global_id(0)] = shuffle(t[i], (uint4)(1 + i / 99)).z + 1;\n}\n",
     "undefined.cl:7: kernel k, work-item (5, 0, 0): reads 16 bytes at byte offset 80 of local variable \"k.t\", which "
     "no work-item of the work-group has written: the value is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  __local int count;\n  if (a[get_global_id(0)] > 3)\n"
     "    atomic_inc(&count);\n}\n",
     "undefined.cl:4: kernel k, work-item (4, 0, 0): reads 4 bytes at byte offset 0 of local variable \"k.count\", "
     "which no "
     "work-item of the work-group has written: the value is undefined"},
    {LAUNCH, /* on some ways only: a stored value */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float x;\n  if (a[i] > 3)\n    x = 5;\n"
     "  if (a[i] > 1)\n    a[i] = x;\n}\n",
     "undefined.cl:7: kernel k, work-item (2, 0, 0): reads private variable \"x\", which it has not written: the value "
     "is undefined"},
    {LAUNCH, /* a branch, after arithmetic, in a function, behind a barrier */
     "float f(int c) {\n  float r;\n  if (c > 2)\n    r = 1;\n  else if (c < 2)\n    r = 2;\n  return r;\n}\n"
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float s = sin(f(i) * 2);\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (s > 0.5f)\n    a[i] = 0;\n}\n",
     "undefined.cl:13: kernel k, work-item (2, 0, 0): reads private variable \"r\", which it has not written: the "
     "value "
     "is undefined"},
    {LAUNCH, /* a function that does not always return a value */
     "float f(int c) {\n  if (c > 3)\n    return 1;\n  else if (c < 3)\n    return 2;\n}\n"
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float x = f(i);\n  if (i > 2)\n"
     "    a[i] = x;\n}\n",
     "undefined.cl:11: kernel k, work-item (3, 0, 0): uses what a function gave that ended without returning a value: "
     "it "
     "is undefined"},
    {LAUNCH, /* an address */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0), x;\n  if (i != 7)\n    x = i;\n"
     "  a[i] = a[(x * 2) & 63];\n}\n",
     "undefined.cl:5: kernel k, work-item (7, 0, 0): reads private variable \"x\", which it has not written: the value "
     "is undefined"},
    {LAUNCH, /* a pointer, a divisor and what is printed */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  __global float *p;\n  if (i < 9)\n"
     "    p = a;\n  *p = i;\n}\n",
     "undefined.cl:6: kernel k, work-item (9, 0, 0): reads private variable \"p\", which it has not written: the value "
     "is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0), x;\n  if (i < 9)\n    x = i + 1;\n"
     "  int y = 100 / x;\n  if (i == 63)\n    a[i] = y;\n}\n",
     "undefined.cl:5: kernel k, work-item (9, 0, 0): reads private variable \"x\", which it has not written: the value "
     "is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0), x;\n  if (i < 9)\n    x = i;\n"
     "  if (i == 9)\n    printf(\"%d\\n\", x);\n}\n",
     "undefined.cl:6: kernel k, work-item (9, 0, 0): reads private variable \"x\", which it has not written: the value "
     "is undefined"},
    {LAUNCH, /* carried round a loop; the second of two variables */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float last, other = 0;\n"
     "  for (int j = 0; j < 3; j++) {\n    float now = last;\n    last = j;\n    if (j > 0 || i == 12)\n"
     "      a[i] += now + other;\n  }\n}\n",
     "undefined.cl:8: kernel k, work-item (12, 0, 0): reads private variable \"last\", which it has not written: the "
     "value is undefined"},
    {LAUNCH, /* one element of a vector, and a vector as a whole */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float4 v;\n  if (i & 4)\n"
     "    v.xy = 1;\n  v = v * 2 + i;\n  if (i > 3)\n    a[i] = i == 6 ? v.z : v.x;\n}\n",
     "undefined.cl:8: kernel k, work-item (6, 0, 0): reads private variable \"v\", which it has not written: the value "
     "is undefined"},
    {LAUNCH,
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float2 v;\n  if (i != 10)\n"
     "    v = a[i];\n  vstore2(v, i / 2, a);\n}\n",
     "undefined.cl:6: kernel k, work-item (10, 0, 0): reads private variable \"v\", which it has not written: the "
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

/* Found when the kernel is built: no option lets them pass. */
static const struct kernel_case certain[] = {
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
    {LAUNCH, /* vectors computed with as a whole, of which an element is neither set nor used */
     "float best(__local float4 *c, float4 sum, float w) {\n  float4 s = 0;\n#pragma unroll\n"
     "  for (int i = 0; i < 4; i++)\n    s += c[i] * w;\n  float4 a = (s * 2 - sum * w) * 0.5f, b = sum - s;\n"
     "  float4 e = a * a + b * b - a * b;\n  return e.x + e.y + e.z;\n}\n"
     "__kernel void k(__global float *a) {\n  __local float4 c[16];\n  __local int r[16];\n"
     "  int i = get_local_id(0);\n  c[i].x = i;\n  c[i].y = 1;\n  c[i].z = 2;\n  r[i] = 15 - i;\n"
     "  float4 t = c[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  c[r[i]] = t;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  a[get_global_id(0)] = best(c, t - c[i] * 0.25f, a[i]);\n}\n",
     NULL},
    {LAUNCH, /* structures with padding and a member that is never set, copied whole */
     "typedef struct { char c; double d; int unset, set; } S;\n__kernel void k(__global float *a) {\n"
     "  __local S t[16];\n  S p[3];\n  int i = get_local_id(0);\n  t[i].c = i;\n  t[i].d = a[i];\n  t[i].set = i;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  p[i % 3] = t[15 - i];\n  p[(i + 1) % 3] = p[i % 3];\n  S s = p[(i + 1) % 3];\n"
     "  a[get_global_id(0)] = s.c + s.d + s.set;\n}\n",
     NULL},
    {LAUNCH, /* sixteen bytes and more of padding, copied whole, also into a buffer */
     "typedef struct { float8 v; int n; } S;\n__kernel void k(__global S *a) {\n  __local S t[16];\n  S p[3];\n"
     "  int i = get_local_id(0);\n  for (int j = 0; j < 3; j++) {\n    p[j].v = i;\n    p[j].n = j;\n  }\n"
     "  t[i].v = i;\n  t[i].n = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i < 2)\n    a[i] = p[i + 1];\n"
     "  else if (i < 4)\n    a[i] = t[15 - i];\n}\n",
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
    {LAUNCH, /* unwritten on some ways, but on those nothing depends on it */
     "float f(int c, float unused) {\n  return c > 3 ? unused : c;\n}\n__kernel void k(__global float *a) {\n"
     "  int i = get_global_id(0), c = a[i] > 3;\n  float x, last, keep;\n  if (c)\n    x = 5;\n"
     "  float s = c ? x : 0;\n  if (c)\n    s += x;\n  if (c && x > 4)\n    s++;\n  s += f(i, x);\n"
     "  for (int j = 0; j < 4; j++) {\n    if (j > 0)\n      s += last;\n    keep = last;\n    last = j;\n"
     "    if (j > 1)\n      s += keep;\n  }\n  a[i] = s;\n}\n",
     NULL},
    {LAUNCH, /* what a function does not return, and nobody uses */
     "float f(int c) {\n  if (c != 3)\n    return 1;\n}\nfloat g(__global float *a) {\n  a[0] = 1;\n}\n"
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float x = f(i);\n  g(a);\n  if (i != 3)\n"
     "    a[i] = x;\n}\n",
     NULL},
    {LAUNCH, /* elements of vectors, some of which are never set; a copy that lies in memory */
     "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float4 v, w;\n  float t[4];\n  if (i > 3)\n"
     "    v.xyz = (float3)(1, 2, a[i]);\n  else\n    v.x = i;\n  w = v * 2;\n  t[i & 3] = w.w;\n"
     "  vstore4(w, i / 4, a);\n  a[i] = i > 3 ? dot(v.xyz, w.zyx) : w.x + as_int(v.x);\n}\n",
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

static void expect_mistake(const struct kernel_case *c, const char *let_pass) {
  struct emulate_text t;
  char message[512];
  const struct emulate_options options = {0};
  const bool local = strstr(c->message, "of the work-group") != NULL;
  snprintf(message, sizeof message, "%s%s%s%s", c->message, *let_pass ? "; " : "",
           local ? "is a barrier missing? " : "", let_pass);
  assert_int_equal(emulate_text_run(&t, "undefined", c->kernel, c->body, &options), -1);
  expect_error(&t.error, message);
  assert_int_equal(t.error.kind, ERROR_WORK);
  emulate_text_clear(&t);
}

static void each_undefined_read_is_named(void **state) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_mistake(&bad[i], LET_PASS);
  for (size_t i = 0; i < sizeof certain / sizeof *certain; i++)
    expect_mistake(&certain[i], "");
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

/* The same for private variables; and what is traced does not depend on whether they are looked at. */
static void variables_are_looked_at_in_the_same_groups(void **state) {
  static const char kernel[] = "__kernel void k(__global float *a) {\n  int i = get_global_id(0);\n  float x;\n"
                               "  if (i != 5)\n    x = i;\n  a[i] += x;\n}\n";
  static const int expected[] = {[UNDEFINED_READS_SOME] = 0, [UNDEFINED_READS_ALL] = -1, [UNDEFINED_READS_NONE] = 0};
  uint64_t bytes[3] = {0};
  for (int which = UNDEFINED_READS_SOME; which <= UNDEFINED_READS_NONE; which++) {
    struct emulate_text t;
    const struct emulate_options options = {.undefined_reads = (enum undefined_reads)which,
                                            .trace_directory = "which-groups"};
    assert_int_equal(emulate_text_run(&t, "which-variables", kernel,
                                      BUFFERS "launches:\n  - {kernel: k, global: 64, local: 1, args: [{buffer: A}]}\n",
                                      &options),
                     expected[which]);
    if (!expected[which]) {
      bytes[which] = t.result.launches[0].trace_bytes;
      assert_true(((const float *)t.result.buffers[0])[63] == 126); /* added once, not in the dry run, too */
    }
    emulate_text_clear(&t);
  }
  assert_int_equal(bytes[UNDEFINED_READS_SOME], bytes[UNDEFINED_READS_NONE]);
  (void)state;
}

/* Buffers are looked at in every group, local memory in some: what group 4 moved, undefined, into the buffer says
 * nothing about what group 5 moves, whose local memory is not looked at. */
static void copies_of_other_groups_do_not_count(void **state) {
  static const char kernel[] =
      "__kernel void w(__global float *n) {\n  __local float t[8];\n  int l = get_local_id(0);\n"
      "  if (get_group_id(0) != 4)\n    t[l] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  n[get_global_id(0)] = t[l];\n}\n"
      "__kernel void k(__global float *a, __global float *n) {\n  int i = get_global_id(0);\n  if (i >= 40 - OFF)\n"
      "    a[i] += n[i];\n}\n";
  static const char body[] = BUFFERS "launches:\n  - {kernel: w, global: 64, local: 8, args: [{buffer: N}]}\n"
                                     "  - {kernel: k, global: 64, local: 8, args: [{buffer: A}, {buffer: N}]}\n";
  const struct emulate_options options = {0};
  struct emulate_text t;
  char text[sizeof body + 32];
  for (int off = 0; off < 2; off++) {
    snprintf(text, sizeof text, "options: -DOFF=%d\n%s", off, body);
    assert_int_equal(emulate_text_run(&t, "other-groups", kernel, text, &options), off ? -1 : 0);
    if (off)
      expect_error(&t.error,
                   "other-groups.cl:12: kernel k, work-item (39, 0, 0): reads 4 bytes at byte offset 156 of "
                   "buffer \"N\" (argument 2, n), which nothing has written: the value is undefined; " LET_PASS);
    emulate_text_clear(&t);
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_undefined_read_is_named),
      cmocka_unit_test(good_kernels_pass),
      cmocka_unit_test(which_groups_are_looked_at),
      cmocka_unit_test(copies_of_other_groups_do_not_count),
      cmocka_unit_test(variables_are_looked_at_in_the_same_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
