/* Constant tables of structures, tables of pointers to constants, structures as results and through pointers to
 * pointers. */
typedef struct {
  int a;
  float4 b;
  uchar c[3];
} row;
typedef struct {
  row rows[2];
  int n;
} table_t;
__constant table_t tab[2] = {{{{1, (float4)(1, 2, 3, 4), {1, 2, 3}}, {2, (float4)(5, 6, 7, 8), {4, 5, 6}}}, 2},
                             {{{3, (float4)(9), {7, 8, 9}}, {4, (float4)(0), {1, 1, 1}}}, 1}};
__constant int *__constant tables2[2] = {&tab[0].n, &tab[1].n};
__kernel void tables(__global float *o) {
  int i = get_global_id(0);
  __constant row *r = &tab[i & 1].rows[(i >> 1) & 1];
  o[i] = r->a + r->b.y + r->b.s3 + r->c[i % 3] + tab[(i + 1) & 1].n;
}
__kernel void pointers(__global float *o) {
  o[get_global_id(0)] = *tables2[get_global_id(0) & 1];
}
typedef struct {
  int x, y;
} pt;
pt mk(int a) {
  pt p = {a, a * 2};
  return p;
}
pt swp(pt p) {
  pt q;
  q.x = p.y;
  q.y = p.x;
  return q;
}
__kernel void results(__global pt *o, int n) {
  int i = get_global_id(0);
  pt v[4];
  for (int j = 0; j < 4; j++)
    v[j] = swp(mk(i + j));
  pt *p = &v[n & 3];
  pt **pp = &p;
  o[i] = **pp;
  pt t = *p;
  *p = v[0];
  v[0] = t;
  o[i].x += v[n & 1].y;
  __global pt *a = n > 3 ? o : o + 64;
  a[i].y += 1;
}
