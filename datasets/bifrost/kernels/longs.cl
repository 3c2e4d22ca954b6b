/* 64-bit integer arithmetic. */
__kernel void longs(__global const long *a, __global const long *b, __global long *out) {
  const size_t i = get_global_id(0);
  const long x = a[i], y = b[i];
  out[4 * i + 0] = x * y + 7;
  out[4 * i + 1] = (x << (y & 63)) | ((ulong)x >> (y & 31));
  out[4 * i + 2] = x < y ? x - y : x + y;
  out[4 * i + 3] = (long)(int)x ^ (long)(uint)y;
}
