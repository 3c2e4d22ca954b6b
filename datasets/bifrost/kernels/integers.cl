/* Integer division, shifts and 64-bit arithmetic. */
__kernel void integers(__global const int *a, __global const int *b, __global int *out) {
  const size_t i = get_global_id(0);
  const int x = a[i], y = b[i] | 1;
  out[8 * i + 0] = x / y;
  out[8 * i + 1] = x % y;
  out[8 * i + 2] = (int)((uint)x / (uint)y);
  out[8 * i + 3] = mul_hi(x, y);
  out[8 * i + 4] = (x << (y & 31)) ^ (x >> (y & 15));
  out[8 * i + 5] = popcount(x) + clz(y);
  out[8 * i + 6] = rotate(x, y & 31) + max(x, y) - min(x, y);
  out[8 * i + 7] = abs_diff(x, y) + add_sat(x, y);
}
