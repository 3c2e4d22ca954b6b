__kernel void k(__global float *a) {
  __local float t[32];
  const int i = get_local_id(0);
  if (i != 7)
    t[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[31 - i];
}
