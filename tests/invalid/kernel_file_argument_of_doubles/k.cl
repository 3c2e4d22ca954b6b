kernel void k(global float *out) {
  out[get_global_id(0)] = 1;
}
