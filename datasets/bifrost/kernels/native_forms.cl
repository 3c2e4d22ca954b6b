/* Math functions whose precision is the device's choice. */
__kernel void native_forms(__global const float *in, __global float *out) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  out[4 * i + 0] = native_exp2(x);
  out[4 * i + 1] = native_log2(fabs(x) + 0.5f);
  out[4 * i + 2] = native_sin(x);
  out[4 * i + 3] = native_divide(x, fabs(x) + 1.0f);
}
