__kernel void scale(__global float *a, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] *= 2;
}
__kernel void refused(__global float *a, read_only image2d_depth_t depths) {
  a[0] = get_image_width(depths);
}
