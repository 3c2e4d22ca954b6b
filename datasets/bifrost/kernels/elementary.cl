/* Math functions of one float. */
__kernel void elementary(__global const float *in, __global float *out) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  out[8 * i + 0] = exp(x);
  out[8 * i + 1] = log(fabs(x) + 0.5f);
  out[8 * i + 2] = sin(x);
  out[8 * i + 3] = cos(x);
  out[8 * i + 4] = sqrt(fabs(x));
  out[8 * i + 5] = rsqrt(fabs(x) + 1.0f);
  out[8 * i + 6] = pow(fabs(x) + 0.5f, 1.5f);
  out[8 * i + 7] = 1.0f / (x + 8.0f);
}
