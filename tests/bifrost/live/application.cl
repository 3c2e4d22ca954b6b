/* Kernels of application.c. */
typedef struct {
  int number;
  float parts[3];
} record;

__constant int digits[8] = {3, 1, 4, 1, 5, 9, 2, 6};

__kernel void divergent(__global int *out, int count) {
  const int i = get_global_id(0);
  int steps = 0;
  for (int x = i; x > 1; steps++) {
    if (steps == 50)
      break;
    x = x & 1 ? 3 * x + 1 : x / 2;
  }
  if (i % 5 == 4 && i > count / 2)
    return;
  out[i] = steps;
}

__kernel void sums(__global const int *in, __global int *out, __local int *part) {
  const int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      part[l] += part[l + half_size];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void histogram(__global const uchar *in, __global uint *out) {
  __local uint counts[16];
  const int l = get_local_id(0);
  if (l < 16)
    counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[in[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    atomic_add(&out[l], counts[l]);
  atomic_max(&out[16], (uint)get_global_id(0));
}

__constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void neighbours(__read_only image2d_t in, __write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, at, read_imageui(in, texels, at - (int2)(1, 0)) + read_imageui(in, texels, at + (int2)(1, 0)));
}

__kernel void places(__global int *out) {
  const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
               z = get_global_id(2) - get_global_offset(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
      get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2) + 1000000 * get_local_id(1);
}

__kernel void twice(__global int *values) {
  values[get_global_id(0)] *= 2;
}

__kernel void nothing(__global int *values) {
}

__kernel void records(__global const record *in, __global long *out, record added) {
  const int i = get_global_id(0);
  int table[16];
  for (int k = 0; k < 16; k++)
    table[k] = digits[(k + i) & 7] * k;
  out[i] = in[i].number * 1234567890123L + table[(7 * i) & 15] + (int)in[i].parts[1] + added.number;
}
