kernel void f(global float *x, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] = 2 * x[i];
}
