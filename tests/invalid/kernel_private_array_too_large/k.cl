__kernel void k(__global float *a) {
  float t[300000];
  int i = get_global_id(0);
  for (int j = 0; j < 300000; j++)
    t[(7 * j + i) % 300000] = a[j % 64];
  a[i] = t[i];
}
