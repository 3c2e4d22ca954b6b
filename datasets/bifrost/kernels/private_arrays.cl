/* An array of the work-item, indexed by its data, and a table of constants. */
__constant int primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__kernel void private_arrays(__global const uint *in, __global int *out) {
  const size_t i = get_global_id(0);
  int values[32];
  for (int k = 0; k < 32; ++k)
    values[k] = k * k + (int)i;
  for (int k = 0; k < 16; ++k)
    values[(in[i] + 7u * k) & 31u] += primes[(in[i] >> k) & 15u];
  int sum = 0;
  for (int k = 0; k < 32; ++k)
    sum = sum * 31 + values[k];
  out[i] = sum;
}
