#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

struct k370i {
  char first;
  uint v7;
};
struct k370r {
  short3 v4;
  int v8;
  struct k370i in;
};
struct k370r k370s(struct k370r a, struct k370r b, uint which) {
  struct k370r both[2];
  both[0] = a;
  both[1] = b;
  return both[which & 1u];
}

__kernel void k370(__global uint *o0, __global short *o5) {
  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint item = lane + 1 * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  int p10[4] = {(int)((int)0xafb1caa4u), (int)((int)0x33u), (int)((int)0x53u), (int)((int)0xcce614deu)};
  struct k370r r;
  r.v4 = (short3)((short)0x1cu);
  r.in.v7 = (uint)((uint)0xe294ae27u);
  r.v8 = (int)((int)0xe8587abu);
  {
    struct k370r saved = r;
    r.in.v7 = (uint)((uint)0x0u);
    r = k370s(saved, r, item);
  }
  {
    const uint n11 = ((uint)((uint)0x0u)) & 7u;
    uint v11 = 0;
    do {
      switch ((o0[item * 8 + (((uint)((uint)0x0u)) & 7u)]) % 3u) {
      case 0: {
        r.v8 = (int)((int)((int)0x0u) % ((mad_sat(((int)((int)0x0u)), ((int)((int)0x0u)), ((int)((int)0x0u))) & (int)((int)0x3fu)) | (int)((int)0x1u)));
        r.v4 = (short3)((short)0x0u);
      } break;
      default: {
        p10[((rhadd(((uint)((uint)0x0u)), ((uint)((uint)0x0u)))) & 3u)] = (int)((int)0x0u);
      } break;
      }
    } while (++v11 < n11);
  }
  vstore3(r.v4, item * 8 + (((uint)((uint)0x0u)) & 7u), o5);
}

