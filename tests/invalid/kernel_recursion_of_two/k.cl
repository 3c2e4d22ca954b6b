int g(int n);
int f(int n) {
  return n < 2 ? 1 : n * g(n - 1);
}
int g(int n) {
  if (n < 2)
    return 1;
  return f(n - 1) + 1;
}
__kernel void k(__global float *a) {
  a[0] = f((int)a[1]);
}
