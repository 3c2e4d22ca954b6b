/* Which place a work-item writes to depends on which others came before it. */
__kernel void tickets(__global int *next, __global int *order) {
  order[atomic_inc(next)] = get_global_id(0);
}
