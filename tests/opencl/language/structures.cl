/* Idioms of Rodinia, Parboil and SDK samples: structures everywhere, tables, pointers to pointers, swizzles, switches.
 */
typedef struct {
  float4 v;
  int n[4];
  char c;
  double d;
  union {
    float f;
    int i;
    uchar b[8];
  } u;
} par;
typedef struct {
  int a, b;
  float c;
} small;
__constant small table[2] = {{1, 2, 3.0f}, {4, 5, 6.0f}};
typedef struct {
  float m[3][3];
  int tag;
} mat;
inline float f(small s) {
  return s.a + s.b * s.c;
}
static float g(__global small *p, int i) {
  small s = p[i];
  s.a += 1;
  p[i] = s;
  return f(s);
}
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void structures(__global float *o, const small s, const par p,
                                                                        __global small *t, int dyn) {
  __local small l[8];
  int i = get_global_id(0), j = get_local_id(0);
  l[j] = t[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = s.a + s.b * 2 + s.c;
  x += p.v.x + p.v.w + p.n[1] + p.c + p.d + p.u.b[1] + p.u.i;
  x += p.n[(i + dyn) & 3] + l[7 - j].c + l[j ^ 1].a + table[i & 1].b + g(t, i);
  mat m;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      m.m[a][b] = a * i + b;
  m.tag = i;
  mat m2 = m;
  x += m2.m[dyn % 3][(i + dyn) % 3];
  float4 q = (float4)(x);
  q.xz = q.wy + (float2)(1, 2);
  q.s13 *= 2;
  int *pp[2];
  int aa = i, bb = 2 * i;
  pp[0] = &aa;
  pp[1] = &bb;
  *pp[dyn & 1] += 5;
  int **ppp = &pp[i & 1];
  **ppp += 1;
  switch (i & 7) {
  case 0:
    x += 1;
    break;
  case 1:
    x += 2;
  case 2:
    x *= 2;
    break;
  default:
    x -= 1;
  }
  int4 sel = (int4)(i) > (int4)(1, 2, 3, 4) ? (int4)(1) : (int4)(2);
  o[i] = x + q.x + q.y + q.z + q.w + aa + bb + sel.x + sel.w + as_float(as_int(x) & 0x7fffffff);
}
