__kernel void k(__global int *a) {
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += a[(get_global_id(0) + i) & 63];
  a[get_global_id(0)] = s;
}
