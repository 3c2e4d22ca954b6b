/* Sums: every work-item adds up its strided share, then the work-group adds up its work-items in a tree in local memory.
 * Defined by: the interleaved-free tree reduction of Harris, "Optimizing Parallel Reduction in CUDA" (2007), sequential addressing.
 * Shapes: `out` has one element a work-group; `part` one a work-item of the group, whose size is a power of two. */
__kernel void reduce_sum(__global const float *in, __global float *out, __local float *part, int n) {
  const int local_id = get_local_id(0);

  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  part[local_id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (local_id < half_size)
      part[local_id] += part[local_id + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (local_id == 0)
    out[get_group_id(0)] = part[0];
}

/* The sum from left to right, in double precision. */
__kernel void reduce_check(__global const float *in, __global float *expected, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += in[i];
  expected[0] = (float)sum;
}
