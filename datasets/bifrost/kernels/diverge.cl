/* Branches inside of a loop whose length depends on the data. */
__kernel void diverge(__global const uint *in, __global uint *out) {
  const size_t i = get_global_id(0);
  uint value = in[i] & 1023u, sum = 0;
  while (value) {
    if (value & 1)
      sum += value * 3;
    else if (value & 2)
      sum ^= value;
    else {
      for (uint k = 0; k < (value & 7); ++k)
        sum += k;
    }
    value >>= 1;
    if (sum > 100000u)
      break;
  }
  out[i] = sum;
}
