__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void k(read_only image2d_t image, __global float *a) {
  int i = get_global_id(0), y;
  if (i != 6)
    y = 2;
  a[i] = read_imagef(image, s, (int2)(i, y)).x;
}
