__kernel void k(__global float *a, float x) {
  a[get_global_id(0)] = x;
}

__kernel void other(__global float *a) {
  a[get_global_id(0)] = 1;
}
