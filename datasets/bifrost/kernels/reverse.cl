/* Reverses the elements of each work-group through local memory. */
__kernel void reverse(__global const int *in, __global int *out, __local int *part) {
  const uint local_id = get_local_id(0);
  part[local_id] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_size(0) - 1 - local_id];
}
