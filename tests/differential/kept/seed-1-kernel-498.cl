#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

struct k498i {
  char first;
  float3 v9;
};
struct k498r {
  struct k498i in;
};
struct k498r k498s(struct k498r a, struct k498r b, uint which) {
  struct k498r both[2];
  both[0] = a;
  both[1] = b;
  return both[which & 1u];
}

__kernel void k498(__global int *o3, __global float *o4) {
  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint item = lane + 1 * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  struct k498r r;
  int v8 = (int)((int)0x55u);
  r.in.v9 = (float3)(0x1.9p+2f);
  switch (((uint)((uint)0x1u)) % 4u) {
  case 0: {
  } break;
  case 1: {
    switch (((uint)get_global_id(2)) % 4u) {
    case 0: {
      {
        struct k498r saved = r;
        r.in.v9 = (float3)(0x0p+0f);
        r = k498s(saved, r, (uint)get_num_groups(1));
      }
    } break;
    case 1: {
      {
        const uint n12 = ((uint)((uint)0x0u)) & 7u;
        uint v12 = 0;
        if (n12 & 1u) goto middle12;
        do {
          v8 = ((float)(o3[item * 8 + (((uint)((uint)0x0u)) & 7u)] ? (float)(0x0p+0f) : (float)(0x0p+0f)) == (float)(0x0p+0f));
          middle12:;
        } while (++v12 < n12);
      }
    } break;
    default: {
    } break;
    }
  }
  default: {
  } break;
  }
  vstore3(r.in.v9, item * 8 + (((uint)((uint)0x0u)) & 7u), o4);
}

