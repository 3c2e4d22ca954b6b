__kernel void k(read_only image2d_t image, __global float *a) {
  a[0] = 1;
}
