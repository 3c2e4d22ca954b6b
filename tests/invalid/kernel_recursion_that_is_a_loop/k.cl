int f(int n, int sum) {
  if (n < 2)
    return sum;
  return f(n - 1, sum + n);
}
__kernel void k(__global float *a) {
  a[get_global_id(0)] = f((int)a[1], 0);
}
