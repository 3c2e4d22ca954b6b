kernel void k(global const int *x, global int *y) {
  size_t i = get_global_id(0);
  y[i] = x[i];
}