__kernel void k(read_only image2d_t image, __global float *a) {
  int x = get_global_id(0);
  a[x] = read_imagef(image, (int2)(x, 2)).x;
}
