/* Vectors of more than 16 bytes through built-ins: the library takes them in memory. */
__kernel void wide_vectors(__global float16 *f, __global double4 *d, __global int8 *n, __global long4 *l,
                           __global uchar16 *c) {
  const int i = get_global_id(0);
  f[i] = fma(fabs(f[i]), max(f[i], 0.5f), floor(f[i]));
  d[i] = fma(fabs(d[i]), fmin(d[i], 0.5), ceil(d[i])) + clamp(d[i], -1.0, 1.0);
  n[i] = add_sat(mul_hi(n[i], n[i] << 9), max(n[i], rotate(n[i], (int8)(3))));
  l[i] = mad_sat(l[i], l[i] << 7, min(l[i], hadd(l[i], (long4)(77))));
  c[i] = convert_uchar16_sat_rte(f[i] * 100.0f) ^ (uchar16)(convert_uchar8_sat(n[i]), (uchar8)(i));
}
