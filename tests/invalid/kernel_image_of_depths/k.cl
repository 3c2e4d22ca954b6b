__kernel void k(read_only image2d_depth_t depths, __global float *a) {
  a[0] = 1;
}
