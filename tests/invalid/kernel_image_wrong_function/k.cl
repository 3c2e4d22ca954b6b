__kernel void k(read_only image2d_t image, __global float *a) {
  a[get_global_id(0)] = read_imageui(image, (int2)(1, 2)).x;
}
