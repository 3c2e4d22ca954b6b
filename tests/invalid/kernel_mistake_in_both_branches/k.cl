__kernel void k(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  if (x[i] & 1)
    y[i] = x[i + 1];
  else
    y[i] = x[i + 4];
}
