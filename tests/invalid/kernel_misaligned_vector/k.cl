__kernel void k(__global float *a) {
  const int i = get_global_id(0);
  *(__global float4 *)(a + 4 * (i % 8)) = sqrt(vload4(0, a + 1));
  *(__global float4 *)(a + i % 8) = (float4)(1);
}
