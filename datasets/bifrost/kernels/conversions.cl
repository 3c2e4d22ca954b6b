/* Conversions from float to integers, with rounding and saturation. */
__kernel void conversions(__global const float *in, __global int *out) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  out[8 * i + 0] = convert_int_rtn(x * 1000.0f);
  out[8 * i + 1] = convert_int_rtp(x * 1000.0f);
  out[8 * i + 2] = convert_int_rte(x * 1000.0f);
  out[8 * i + 3] = convert_int_sat(x * 1e9f);
  out[8 * i + 4] = (int)convert_uint_sat(x * 1e9f);
  out[8 * i + 5] = convert_char_sat(x * 50.0f);
  out[8 * i + 6] = convert_short(x * 1000.0f);
  out[8 * i + 7] = as_int(convert_float(as_uint(x)));
}
