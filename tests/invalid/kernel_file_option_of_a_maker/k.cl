__kernel void k(__global float *a) {
  a[get_global_id(0)] = 1;
}
