__kernel void k(__global float *a) {
  __global float *p = get_global_id(0) < 5 ? a : 0;
  p[3] = 1;
}
