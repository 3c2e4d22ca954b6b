#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

struct k460i {
  char first;
  ulong3 v9;
};
struct k460r {
  ulong3 v4;
  struct k460i in;
};
struct k460r k460s(struct k460r a, struct k460r b, uint which) {
  struct k460r both[2];
  both[0] = a;
  both[1] = b;
  return both[which & 1u];
}

__kernel void k460() {
  const uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint item = lane + 1 * (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  uchar3 p15[4] = {(uchar3)((uchar)0x46u), (uchar3)((uchar)0xb9u), (uchar3)((uchar)0x5u), (uchar3)((uchar)0x12u)};
  struct k460r r;
  r.v4 = (ulong3)((ulong)0x6746b923aabd5371ul);
  uchar3 v5 = (uchar3)((uchar)0xa6u);
  r.in.v9 = (ulong3)((ulong)0x51ul);
  {
    struct k460r saved = r;
    r.v4 = (ulong3)((ulong)0x0ul);
    r = k460s(saved, r, bitselect(((uint)((uint)0x0u)), ((uint)((uint)0x0u)), ((uint)((uint)0x0u))));
  }
  {
    const uint n11 = ((uint)((uint)0x3u)) & 7u;
    for (uint v11 = 0; v11 < n11; v11++) {
      {
        struct k460r saved = r;
        r.in.v9 = (ulong3)((ulong)0x0ul);
        r = k460s(saved, r, (uint)get_num_groups(2));
      }
    }
  }
  {
    const uint n14 = ((uint)((uint)0x0u)) & 7u;
    for (uint v14 = 0; v14 < n14; v14++) {
      p15[(((uint)((uint)0x0u)) & 3u)] = (uchar3)((uchar3)((uchar)0x0u) / ((v5 & (uchar3)((uchar)0xffu)) | (uchar3)((uchar)0x1u)));
    }
  }
}

