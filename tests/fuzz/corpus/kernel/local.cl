__kernel void k(__global int *a) {
  __local int l[8];
  l[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[7 - get_local_id(0)];
}
