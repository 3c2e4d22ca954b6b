__kernel void k(__global int *a) {
  if (get_global_id(0) == 0)
    while (a[0] >= 0)
      a[1]++;
  a[2] = 1;
}
