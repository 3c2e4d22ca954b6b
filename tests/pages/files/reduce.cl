// Sums of the numbers of each work-group: by a tree in local memory, by sub-groups, and by the function for it.
kernel void tree(global const float *in, global float *sums) {
  local float own[256];
  const uint id = get_local_id(0);
  own[id] = in[get_global_id(0)];
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < half_size)
      own[id] += own[id + half_size];
  }
  if (id == 0)
    sums[get_group_id(0)] = own[0];
}

kernel void sub_groups(global const float *in, global float *sums) {
  local float own[128];
  const float sum = sub_group_reduce_add(in[get_global_id(0)]);
  if (get_sub_group_local_id() == 0)
    own[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float all = 0;
    for (uint i = 0; i < get_num_sub_groups(); i++)
      all += own[i];
    sums[get_group_id(0)] = all;
  }
}

kernel void work_group(global const float *in, global float *sums) {
  const float sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    sums[get_group_id(0)] = sum;
}
