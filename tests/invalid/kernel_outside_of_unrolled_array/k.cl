__kernel void k(__global float *a) {
  int i = get_global_id(0);
  float t[4], s = 0;
#pragma unroll
  for (int j = 0; j <= 4; j++)
    t[j] = a[i] * j;
#pragma unroll
  for (int j = 0; j < 4; j++)
    s += t[j];
  a[i] = s;
}
