__kernel void k(read_only image3d_t volume, __global float *a) {
  a[0] = 1;
}
