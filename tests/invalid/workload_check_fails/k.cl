__kernel void k(__global float *a, float x) {
  a[get_global_id(0)] = x;
}
__kernel void same(__global float *a, float x) {
  for (int i = 0; i < 64; i++)
    a[i] = i == 40 ? x + 1 : x;
}
