/* Vectors, tables, structures, pointers, labels, literals and integer arithmetic in unusual places. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__constant int first[3] = {1, 2, 3};
__constant int second[4] = {10, 20, 30, 40};
__constant int *__constant both[2] = {first, second};
__constant char *__constant words[3] = {"alpha", "be", ""};
__constant float4 points[2] = {(float4)(1, 2, 3, 4), (float4)(5.5f)};
__constant struct {
  int n;
  float3 p;
  char name[4];
  union {
    int i;
    float f;
  } u;
} table[2] = {{1, (float3)(1, 2, 3), "abc", {7}}, {.n = 5, .u = {.f = 2.5f}}};
enum color { RED, GREEN = 5, BLUE };
typedef struct __attribute__((packed)) {
  char c;
  double d;
  short s;
  float3 v;
} packed_t;
typedef struct {
  char c;
  float3 v;
  uchar3 b;
} __attribute__((aligned(64))) al_t;
typedef union {
  float4 f;
  int4 i;
  uchar b[16];
  struct {
    long lo, hi;
  } l;
  ushort8 s;
} un_t;

int sw(long v) {
  switch (v) {
  case -3:
    return 1;
  case 0x100000000L:
    return 2;
  case 5 ... 9:
    return 3;
  case 'a':
    return 4;
  default:
    return 9;
  }
}
int with_side(int *p) {
  return (*p)++ * 2;
}
__kernel void vectors(__global int *o, __global const float *in, int n) {
  int id = get_global_id(0);
  __global int *q = o + id * 128;
  int4 v = (int4)(id, n, -id, 7);
  v.wzyx = v;
  *q++ = v.x;
  *q++ = v.w;
  v.xy = v.yx + v.zw;
  v.s3 += v.s0++;
  *q++ = v.s0;
  *q++ = v.s1;
  *q++ = v.s3;
  int8 w = (int8)(v, v.hi, v.even);
  w.odd = w.lo;
  w.hi.lo = (int2)(3, id);
  *q++ = w.s7;
  *q++ = w.s5;
  *q++ = w.s4;
  int4 c = (v > 3) && (v != 7);
  *q++ = c.x + 2 * c.y + 4 * c.z;
  c = !v;
  *q++ = c.y;
  c = ~(v << 33);
  *q++ = c.x;
  c = v ? (int4)(1) : (int4)(2);
  *q++ = c.x;
  c = v >> (int4)(1, 2, 3, 35);
  *q++ = c.w;
  c = v++ - --v;
  *q++ = c.z;
  char3 c3 = convert_char3_sat(v.xyz * 100);
  *q++ = c3.x;
  *q++ = c3.z;
  *q++ = sizeof(c3);
  *q++ = vec_step(c3);
  *q++ = sizeof(float3);
  float4 f = as_float4(v);
  f = (float4)(in[id], in[id + 1], n, 1) * f.x;
  *q++ = as_int(f.y);
  float3 g = f.xyz;
  g.zx = g.xz;
  *q++ = as_int(g.z);
  int3 gi = as_int3(f);
  *q++ = gi.y;
  float arr[3] = {g.x, g.y, g.z};
  float3 g2 = vload3(0, arr);
  *q++ = as_int(g2.z + arr[(id + n) % 3]);
  float3 a3[4];
  for (int i = 0; i < 4; i++)
    a3[i] = g * i;
  *q++ = as_int(a3[(id + n) & 3].y);
  *q++ = as_int(((float *)a3)[((id + n) & 3) * 4 + 1]);
  double2 d = convert_double2(f.xy) / 3;
  *q++ = convert_int(d.y * 1000);
  long2 l = as_long2(d);
  *q++ = (int)(l.x >> 20);
  short8 s8 = as_short8(v);
  s8 *= (short)3;
  s8 %= (short8)(7);
  *q++ = s8.s3;
  *q++ = any(s8 > (short8)5);
  uchar16 u = as_uchar16(v);
  u -= (uchar16)1;
  u = rotate(u, (uchar16)3);
  *q++ = u.sf;
  *q++ = u.sA + u.sb;
  v = (int4)(1, 2, 3, 4);
  v += (v.x == 1 ? v.wzyx : v);
  *q++ = v.x;
  v /= 2;
  v %= 3;
  v |= 8;
  v ^= n;
  v <<= 2;
  *q++ = v.z;
  ulong4 ul = convert_ulong4(v) * 0x123456789UL;
  *q++ = (int)(ul.w >> 32);
  uint2 ui = (uint2)(1u) - (uint2)(2u);
  *q++ = (int)(ui.x >> 31);
  float16 f16 = (float16)(f, f, f, f);
  f16.s0ab = f16.sFED;
  *q++ = as_int(f16.sa);
  f16.even = f16.odd;
  *q++ = as_int(dot(f16.lo.hi, f16.hi.lo));
  int4 sel = isless(f, f.yxwz);
  *q++ = sel.x;
  *q++ = all(isequal(f, f));
  *q++ = signbit(f.x);
  *q++ = v.x ?: 5;
  bool bb = v.x;
  *q++ = bb;
  *q++ = (bool)0.3f;
}
__kernel void others(__global int *o, int n, long big, uchar uc, short4 s4, float2 f2, double dd) {
  int id = get_global_id(0);
  __global int *q = o + id * 128;
  *q++ = both[id & 1][id % 3];
  *q++ = words[id % 3][0];
  *q++ = ((__constant char *)"xyz")[id % 3];
  *q++ = points[id & 1].z * 2;
  *q++ = table[id & 1].n + table[id & 1].name[1];
  *q++ = table[id & 1].u.i;
  *q++ = as_int(table[id & 1].p.y);
  *q++ = sw(id) + 16 * sw(big) + 256 * sw(-3) + 4096 * sw(n + 90);
  enum color k = id & 1 ? GREEN : BLUE;
  *q++ = k;
  packed_t p[3];
  for (int i = 0; i < 3; i++) {
    p[i].c = i;
    p[i].d = i * dd;
    p[i].s = -i;
    p[i].v = (float3)(i, id, n);
  }
  *q++ = sizeof(packed_t);
  *q++ = p[id % 3].d * 10;
  *q++ = p[id % 3].v.y;
  *q++ = p[(id + 1) % 3].s;
  al_t al[2];
  al[id & 1].c = 3;
  al[~id & 1].c = 4;
  al[id & 1].v = (float3)(id);
  al[~id & 1].v = (float3)(n);
  al[0].b = al[1].b = (uchar3)(1, 2, 3);
  *q++ = sizeof(al_t);
  *q++ = al[1].c;
  *q++ = al[1].v.z;
  *q++ = al[(n + id) & 1].b.z;
  *q++ = __alignof__(al_t);
  un_t u;
  u.i = (int4)(id, n, 3, 4);
  u.b[(id + n) & 15] = 200;
  *q++ = u.l.lo >> 16;
  *q++ = u.s.s5;
  *q++ = as_int(u.f.w);
  int x = id, y = n;
  *q++ = with_side(&x) + with_side(&x) * 100;
  *q++ = (x++, y--, x * y);
  int *px = &x, **ppx = &px;
  int *py = &y;
  if (id & 2)
    ppx = &py;
  **ppx = 77;
  *q++ = x + y * 3;
  int *arr[3] = {&x, &y, px};
  *arr[(id + n) % 3] += 5;
  *q++ = x * y;
  int ***pppx = &ppx;
  ***pppx -= 1;
  *q++ = x ^ y;
  px = &y;
  *q++ = (px == py) + 2 * (px != NULL) + 4 * (ppx == &py);
  int a2[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      a2[i][j] = i * j + id;
  int(*row)[4] = &a2[(id + n) % 3];
  *q++ = (*row)[(n + id) & 3];
  *q++ = &a2[2][1] - &a2[0][3];
  *q++ = row[0][3] + *(*a2 + 5);
  int *e = a2[2] + 4;
  int sum = 0;
  while (e-- != a2[0])
    sum += *e;
  *q++ = sum;
  *q++ = a2[1][-2];
  size_t ad = (size_t)&a2[1][1];
  *q++ = *(int *)(ad + 4 * (n & 1));
  *q++ = (ad & 3) == 0;
  uintptr_t un = (uintptr_t)(o + 1) - (uintptr_t)o;
  *q++ = un;
  *q++ = (o < q) + (q >= o) * 2;
  int i = 0;
  uint cnt = id + 3;
  switch (cnt & 3) {
  case 0:
    do {
      i += 1;
    case 3:
      i += 10;
    case 2:
      i += 100;
    case 1:
      i += 1000;
    } while (cnt > 4 && (cnt -= 4) > 4);
  }
  *q++ = i;
  i = 0;
loop:
  if (i < id) {
    i += 2;
    if (i == 6)
      goto out;
    goto loop;
  }
out:
  *q++ = i;
  do {
    if (id & 1)
      continue;
    i++;
  } while (0);
  *q++ = i;
  for (;;) {
    if (++i > 20)
      break;
  }
  *q++ = i;
  *q++ = uc + s4.x * s4.w + (int)f2.y;
  *q++ = (char)(uc * 3);
  *q++ = (int)(big >> 31);
  *q++ = (int)((ulong)big / 7 % 1000003);
  *q++ = -7 / (id + 2) * 10 + -7 % (id + 2);
  *q++ = (uint)-7 / 3u;
  *q++ = (short)70000 + (ushort)70000;
  *q++ = 'a' + '\n' + '\x41' + '\101';
  *q++ = 0x1.8p3f + 1e1 + .5;
  *q++ = (struct { int a, b; }){id, 3}.b + ((int[]){1, 2, 3})[id % 3];
  *q++ = sizeof(int[3]) + sizeof(long) + sizeof(size_t) + sizeof(double) + sizeof(bool) + sizeof(half);
  *q++ = __LINE__;
  *q++ = 1;
  *q++ = __ENDIAN_LITTLE__;
  *q++ = CHAR_BIT + INT_MIN + (int)LONG_MAX;
  *q++ = as_int(FLT_EPSILON) + as_int(M_PI_F) + as_int(HUGE_VALF) + (as_int(NAN) != 0) + as_int(MAXFLOAT);
  *q++ = (int)(DBL_MAX > 1e300) + (int)(M_PI * 1e6);
  const char str[] = "hello";
  *q++ = str[(id + n) % 5] + sizeof str;
  volatile int vi = id;
  vi += vi;
  *q++ = vi;
  ulong ull = (ulong)big * (ulong)big;
  *q++ = ull >> 40;
  *q++ = mul_hi((ulong)big, ull) >> 8;
  *q++ = (long)ull % 1000;
  *q++ = (int)(float)ull;
  *q++ = convert_int_sat(dd * 1e20);
  *q++ = (uint)(ulong)(double)(1UL << 33);
  *q++ = rotate((uint)id, 40u);
  *q++ = id << (n & 31) >> 1;
  *q++ = get_global_offset(0) + 10 * get_work_dim() + 100 * get_local_size(0) + 10000 * get_num_groups(0);
  *q++ = get_group_id(0);
}

/* Names that the emulation could use, too. */
constant int reassemble_constant_0[2] = {3, 4};

kernel void reassemble_run(global int *o) {
  o[get_global_id(0)] = reassemble_constant_0[get_local_id(0) & 1];
}

kernel void reassemble_row(global int *o) {
  o[get_global_id(0)] += reassemble_constant_0[get_local_id(0) & 1];
}
