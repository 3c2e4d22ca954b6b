/* Counts of values in 256 bins, in versions that differ in where the counters are and how items share the values.
 *
 * Defined by: counting. The versions are those of Podlozhnyuk, "Histogram calculation in CUDA" (NVIDIA, 2007), with
 *   atomic operations.
 *   COPIES 0: all items count in global memory. Otherwise the work-group has so many copies of the counters in local
 *     memory; neighbouring items use different copies. The copies are added to global memory at the end.
 *   MIXED 1: the copies of a counter lie side by side; 0: one copy after the other.
 *   VEC: values that an item loads at once. LOADS: loads an item.
 *   STRIDED 1: neighbouring items load neighbouring places; 0: the loads of an item lie side by side.
 * Shapes: values has global size * LOADS * VEC elements below 256; bins has 256 zeros; the work-group has LOCAL
 *   items. */
#ifndef COPIES
#define COPIES  1
#define MIXED   0
#define VEC     1
#define LOADS   1
#define STRIDED 1
#define LOCAL   64
#endif
#define BINS 256

#if COPIES == 0
#define COUNTER(bin) bins[bin]
#elif MIXED
#define COUNTER(bin) counters[(bin)*COPIES + copy]
#else
#define COUNTER(bin) counters[copy * BINS + (bin)]
#endif

#if VEC == 4
#define VECTOR uint4
#else
#define VECTOR uint
#endif

__kernel void histogram(__global const VECTOR *values, __global uint *bins) {
  const uint lane = get_local_id(0);
#if COPIES > 0
  __local uint counters[BINS * COPIES];
  const uint copy = lane % COPIES;
  for (uint i = lane; i < BINS * COPIES; i += LOCAL)
    counters[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if STRIDED
  const uint first = get_global_id(0), stride = get_global_size(0);
#else
  const uint first = get_global_id(0) * LOADS, stride = 1;
#endif
  for (uint i = 0; i < LOADS; ++i) {
    const VECTOR value = values[first + i * stride];
#if VEC == 4
    atomic_inc(&COUNTER(value.x));
    atomic_inc(&COUNTER(value.y));
    atomic_inc(&COUNTER(value.z));
    atomic_inc(&COUNTER(value.w));
#else
    atomic_inc(&COUNTER(value));
#endif
  }
#if COPIES > 0
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = lane; bin < BINS; bin += LOCAL) {
    uint sum = 0;
    for (uint c = 0; c < COPIES; ++c)
#if MIXED
      sum += counters[bin * COPIES + c];
#else
      sum += counters[c * BINS + bin];
#endif
    atomic_add(&bins[bin], sum);
  }
#endif
}

/* One item; the counters are in local memory because that is the fastest place for it on a GPU. */
__kernel void histogram_check(__global const uint4 *values, __global uint *bins, uint count) {
  __local uint counters[BINS];
  for (uint bin = 0; bin < BINS; ++bin)
    counters[bin] = 0;
  for (uint i = 0; i < count / 4; ++i) {
    const uint4 value = values[i];
    ++counters[value.x];
    ++counters[value.y];
    ++counters[value.z];
    ++counters[value.w];
  }
  for (uint bin = 0; bin < BINS; ++bin)
    bins[bin] = counters[bin];
}
