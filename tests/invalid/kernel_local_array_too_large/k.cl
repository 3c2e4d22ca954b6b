__kernel void k(__global float *a) {
  __local float t[1 << 23];
  int i = get_global_id(0);
  t[i * 1000] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[(63 - i) * 1000];
}
