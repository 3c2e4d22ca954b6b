__kernel void k(write_only image1d_array_t rows, __global float *a) {
  int x = get_global_id(0);
  write_imagef(rows, (int2)(x, 2), a[x]);
}
