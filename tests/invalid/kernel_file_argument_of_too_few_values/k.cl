kernel void k(global float *a, float4 v) {
  a[get_global_id(0)] = v.w;
}
