__kernel void k(__global float *a, __global float *b) {
  const int i = get_global_id(0);
  if (i < 50)
    b[i] = 1;
  a[i] += b[i];
}
