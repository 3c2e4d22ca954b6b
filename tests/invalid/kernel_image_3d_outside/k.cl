__kernel void k(read_only image3d_t volume, __global float *a) {
  int x = get_global_id(0);
  a[x] = read_imagef(volume, (int4)(x & 7, 2, x >> 3, 0)).x;
}
