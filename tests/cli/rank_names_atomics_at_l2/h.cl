// Counts of 256 values: each number is counted in global memory, or first in the local memory of its work-group.
kernel void direct(global const uint *in, global uint *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]);
}

kernel void in_groups(global const uint *in, global uint *bins) {
  local uint own[256];
  own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&own[in[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own[get_local_id(0)] > 0)
    atomic_add(&bins[get_local_id(0)], own[get_local_id(0)]);
}
