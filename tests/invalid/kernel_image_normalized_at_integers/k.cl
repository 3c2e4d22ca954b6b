__kernel void k(read_only image2d_t image, sampler_t s, __global float *a) {
  a[get_global_id(0)] = read_imagef(image, s, (int2)(1, 2)).x;
}
