/* Vectors of two 16-bit integers. */
__kernel void shorts(__global const short2 *a, __global const ushort2 *b, __global short2 *out, __global ushort2 *out2) {
  const size_t i = get_global_id(0);
  out[i] = a[i] * (short)5 - convert_short2(b[i]);
  out2[i] = max(b[i], (ushort2)(300, 400)) + convert_ushort2_sat(a[i]);
}
