/* Histogram of BINS bins: each work-group counts in local memory with atomics, then adds its counts to the global ones.
 * Defined by: the privatised histogram of the textbooks (Kirk, Hwu, "Programming Massively Parallel Processors").
 * `bins` starts at zero; values are spread over the bins by value % BINS. */
#ifndef BINS
#define BINS 64
#endif

__kernel void histogram(__global const uint *values, __global uint *bins, uint n) {
  __local uint counts[BINS];

  for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
    counts[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[values[i] % BINS]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
    atomic_add(&bins[b], counts[b]);
}

__kernel void histogram_check(__global const uint *values, __global uint *expected, uint n) {
  for (uint b = 0; b < BINS; ++b)
    expected[b] = 0;
  for (uint i = 0; i < n; ++i)
    ++expected[values[i] % BINS];
}
