/* Ids of all three dimensions, with a global offset. */
__kernel void ids(__global uint *out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t width = get_global_size(0), height = get_global_size(1);
  const size_t at =
      ((z - get_global_offset(2)) * height + y - get_global_offset(1)) * width + x - get_global_offset(0);
  out[at] = (uint)(x + 100 * y + 10000 * z) + 1000000u * (uint)get_local_id(0) + 10000000u * (uint)get_group_id(1) +
            100000000u * (uint)get_local_id(1) + (uint)(get_num_groups(2) << 30);
}
