void store(float value, ulong index, __global float *to) __asm__("_Z7vstore4Dv4_fmPU3AS1f");

__kernel void k(__global float *a) {
  store(1, get_global_id(0), a);
}
