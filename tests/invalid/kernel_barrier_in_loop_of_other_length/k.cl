__kernel void k(__global float *a) {
  const int i = get_global_id(0);
  for (int j = 0; j < 3 + (i == 40); j++) {
    a[i] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  a[i] *= 2;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
