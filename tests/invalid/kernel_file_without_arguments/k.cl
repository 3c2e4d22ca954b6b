kernel void k(global const float4 *a, read_only image2d_t image, sampler_t sampler, local uint *b, int n) {
  b[get_local_id(0)] = n;
}
