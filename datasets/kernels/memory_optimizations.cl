/* Five ways to copy a buffer, which differ in the width of an access and in the order of neighbours.
 * Defined by: the MemoryOptimizations sample of the AMD APP SDK 2.5 and the section on coalesced writes of its
 *   programming guide.
 * Shapes: as many elements as work-items; 2D copies are row-major. NoCoal needs work-groups of a multiple of 16,
 *   Split of 64. */
__kernel void copy1Dfloat4(__global const float4 *in, __global float4 *out) {
  const int i = get_global_id(0);
  out[i] = in[i];
}

__kernel void copy2Dfloat(__global const float *in, __global float *out) {
  const int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = in[i];
}

__kernel void copy2Dfloat4(__global const float4 *in, __global float4 *out) {
  const int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = in[i];
}

/* In each sixteen work-items the first takes the last place and all others move down by one. */
__kernel void NoCoal(__global const float *in, __global float *out) {
  int i = get_global_id(0) - 1;
  if ((get_local_id(0) & 15) == 0)
    i += 16;
  out[i] = in[i];
}

/* In each sixty-four work-items the even ones run backwards and the odd ones forwards. */
__kernel void Split(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  if ((i & 1) == 0)
    i = (i & ~63) + 62 - (i & 63);
  out[i] = in[i];
}

__kernel void copy_check(__global const float *in, __global float *expected, int count) {
  for (int i = 0; i < count; ++i)
    expected[i] = in[i];
}
