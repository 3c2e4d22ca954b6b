/* Vectors of four floats: swizzles, comparisons, selections. */
__kernel void vectors(__global const float4 *a, __global const float4 *b, __global float4 *out) {
  const size_t i = get_global_id(0);
  const float4 x = a[i], y = b[i];
  const int4 less = x < y;
  out[2 * i] = select(x.wzyx + y, x * y.yxwz, less);
  out[2 * i + 1] = (float4)(dot(x, y), any(less) ? 1.0f : 0.0f, all(less) ? 1.0f : 0.0f, length(x.xyz));
}
