/* Vectors of four 8-bit integers. */
__kernel void chars(__global const char4 *a, __global const uchar4 *b, __global char4 *out, __global uchar4 *out2) {
  const size_t i = get_global_id(0);
  out[i] = a[i] * (char)3 + convert_char4_sat(b[i]);
  out2[i] = (b[i] >> (uchar)2) + convert_uchar4_sat(a[i]);
}
