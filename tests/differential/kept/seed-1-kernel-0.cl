#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void k0() {
  const uint item = (uint)(get_global_id(1) * get_global_size(0) + get_global_id(0));
  const uint lane = (uint)(get_local_id(1) * get_local_size(0) + get_local_id(0));
}

