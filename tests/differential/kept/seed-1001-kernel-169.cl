#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

struct k169i {
  char first;
  int v3;
};
struct k169r {
  long4 v4;
  struct k169i in;
};
struct k169r k169s(struct k169r a, struct k169r b, uint which) {
  struct k169r both[2];
  both[0] = a;
  both[1] = b;
  return both[which & 1u];
}

__kernel void k169() {
  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint item = lane + 4 * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  struct k169r r;
  r.in.v3 = (int)((int)0x1eu);
  r.v4 = (long4)((long)0x1ful);
  switch (((uint)get_local_id(0)) % 6u) {
  case 0: {
  } break;
  case 1: {
    {
      struct k169r saved = r;
      r.v4 = (long4)((long)0x0ul);
      r = k169s(saved, r, (uint)get_global_size(1));
    }
    {
      const uint n11 = ((uint)get_local_id(1)) & 7u;
      uint v11 = 0;
      do {
        {
          struct k169r saved = r;
          r.in.v3 = (int)((int)0x0u);
          r = k169s(saved, r, v11);
        }
      } while (++v11 < n11);
    }
  } break;
  case 2: {
  }
  case 3: {
  } break;
  default: {
  }
  }
}

