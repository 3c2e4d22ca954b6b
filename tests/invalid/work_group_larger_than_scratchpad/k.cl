__kernel void k(__global float *a) {
  __local float tile[512];
  int i = get_local_id(0);
  tile[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[511 - i];
}
