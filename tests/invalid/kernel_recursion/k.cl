int f(int n) {
  return n < 2 ? 1 : n * f(n - 1) + f(n - 2);
}
__kernel void k(__global float *a) {
  a[0] = f((int)a[1]);
}
