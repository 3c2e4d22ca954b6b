__kernel void k(__global float *a) {
  if (a[get_global_id(0)] > 3)
    barrier(CLK_GLOBAL_MEM_FENCE);
}
