/* Functions that round a float or choose among floats. */
__kernel void rounding(__global const float *in, __global float *out) {
  const size_t i = get_global_id(0);
  const float x = in[i] * 3.0f;
  out[8 * i + 0] = floor(x);
  out[8 * i + 1] = ceil(x);
  out[8 * i + 2] = trunc(x);
  out[8 * i + 3] = rint(x);
  out[8 * i + 4] = fmod(x, 1.5f);
  out[8 * i + 5] = fmin(x, 2.0f) + fmax(x, -1.0f);
  out[8 * i + 6] = (float)(int)x;
  out[8 * i + 7] = clamp(x, -2.0f, 2.0f) + mix(x, 1.0f, 0.25f);
}
