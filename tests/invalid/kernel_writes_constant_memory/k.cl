__constant int table[] = {1, 2};
__kernel void k(__global int *a) {
  __global int *p = (__global int *)(ulong)table;
  int i = get_global_id(0);
  if (i == 9)
    p[1] = 3;
  a[i] = table[i & 1];
}
