/* Long structures assigned whole: the copies become loops. */
typedef struct {
  float a[2000];
  int n;
} long_one;

__kernel void block_copies(__global long_one *o, __global const long_one *p, __global float *x, int n) {
  o[1] = p[0];
  long_one mine = p[n];
  mine.a[n * 7] += 1;
  mine.n = n;
  o[0] = mine;
  x[0] = mine.a[n * 7];
}
