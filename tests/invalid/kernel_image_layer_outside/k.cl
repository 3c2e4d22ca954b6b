__kernel void k(read_only image2d_array_t layers, __global float *a) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  int x = get_global_id(0);
  a[x] = read_imagef(layers, s, (int4)(x & 7, 2, 100, 0)).x; /* a sampler finds the last layer */
  a[x] += read_imagef(layers, (int4)(x & 7, 2, 4, 0)).x;
}
