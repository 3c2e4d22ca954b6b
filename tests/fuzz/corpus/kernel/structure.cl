struct s { int x, y[4]; };
__constant int t[4] = {1, 2, 3, 4};
int f(struct s *p, int i) { return p->y[i & 3] / (p->x | 1); }
__kernel void k(__global int *a) {
  struct s v = {a[0], {1, 2, 3, t[a[1] & 3]}};
  a[get_global_id(0)] = f(&v, a[2]);
}
