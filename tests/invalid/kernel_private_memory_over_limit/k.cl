__kernel void k(__global float *a) {
  float t[260000];
  int i = get_global_id(0);
  for (int j = 0; j < 260000; j++)
    t[(7 * j + i) % 260000] = a[j % 64];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i] = t[i];
}
