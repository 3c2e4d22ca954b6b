__kernel void k(__global float *a, float x) {
  a[get_global_id(0)] = x;
}
