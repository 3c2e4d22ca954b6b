/* All 32-bit atomic operations. `counters` has 8 elements. */
__kernel void atomics(__global const int *in, __global int *counters) {
  const int x = in[get_global_id(0)];
  atomic_add(&counters[0], x);
  atomic_sub(&counters[1], x);
  atomic_min(&counters[2], x);
  atomic_max(&counters[3], x);
  atomic_and(&counters[4], x);
  atomic_or(&counters[5], x);
  atomic_xor(&counters[6], x);
  atomic_inc(&counters[7]);
}
