float exponential(float x) __asm__("_Z7_cl_expf");

__kernel void k(__global float *a) {
  a[get_global_id(0)] = exponential(a[get_global_id(0)]);
}
