__kernel void k(__global int *a) {
  int4 v = vload4(get_local_id(0), a);
  v.xy = v.zw * (int2)(2, 3);
  vstore4(convert_int4(sqrt(convert_float4(v))), get_local_id(0), a);
}
