/* Vectors of two 16-bit floats. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void halves(__global const half2 *a, __global const half2 *b, __global half2 *out) {
  const size_t i = get_global_id(0);
  out[2 * i] = a[i] * b[i] + (half2)(1.0h, 2.0h);
  out[2 * i + 1] = convert_half2(convert_float2(a[i]) * 0.5f) - fmax(a[i], b[i]);
}
