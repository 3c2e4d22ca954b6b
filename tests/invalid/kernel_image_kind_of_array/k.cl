__kernel void k(read_only image2d_array_t volume, __global float *a) {
  a[0] = 1;
}
