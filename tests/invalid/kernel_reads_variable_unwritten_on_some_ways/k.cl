__kernel void k(__global float *a) {
  int i = get_global_id(0);
  float limit;
  if (i != 40)
    limit = i;
  if (a[i] > limit)
    a[i] = 0;
}
