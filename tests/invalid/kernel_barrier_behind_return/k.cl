__kernel void k(__global float *a) {
  const int i = get_global_id(0);
  if (i >= 60)
    return;
  a[i] += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i] *= 2;
}
