__kernel void k(__global float *a) {
  float *p = a;
  *to_global(p) = 1;
}
