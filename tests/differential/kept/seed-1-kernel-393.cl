#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

struct k393i {
  char first;
  ushort3 v5;
  uint v7;
};
struct k393r {
  struct k393i in;
};
struct k393r k393s(struct k393r a, struct k393r b, uint which) {
  struct k393r both[2];
  both[0] = a;
  both[1] = b;
  return both[which & 1u];
}

__kernel void k393() {
  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint item = lane + 4 * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  struct k393r r;
  r.in.v5 = (ushort3)((ushort)0x2u);
  r.in.v7 = (uint)((uint)0x55u);
  switch ((item) % 5u) {
  case 0: {
  } break;
  case 1: {
  } break;
  case 2: {
    {
      struct k393r saved = r;
      r.in.v7 = (uint)((uint)0x0u);
      r = k393s(saved, r, (uint)get_global_id(1));
    }
  } break;
  default: {
    r.in.v5 = (ushort3)((ushort)0x0u);
  } break;
  }
  {
    struct k393r saved = r;
    r.in.v7 = (uint)((uint)0x0u);
    r = k393s(saved, r, lane);
  }
}

