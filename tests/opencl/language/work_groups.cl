/* Barriers in every place that a work-group reaches together, local memory of every kind, copies by the work-group,
 * atomic functions of both widths and spaces, a kernel that calls another one. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void callee(__global int *o, int n) {
  o[get_global_id(0)] += n + get_local_id(0);
}
__kernel void caller(__global int *o, int n) {
  callee(o, n);
  if (get_global_id(0) & 1)
    callee(o + 1, 2);
  o[get_global_id(0)] *= 2;
}
void helper_barrier(__local int *t, int v) {
  t[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
}
__kernel void barriers(__global int *o, __local int *a, __local int *b, __local short4 *c, int n,
                       __global const int *trip) {
  __local int s[2][8];
  __local union {
    int i[8];
    float f[8];
  } u;
  __local struct {
    char c;
    int v[8];
  } st;
  __local float3 l3[8];
  __local int *__local ptr[2];
  int l = get_local_id(0), id = get_global_id(0), acc = 0;
  helper_barrier(a, id);
  acc += a[7 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n > 3) {
    b[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    acc += b[(l + 1) & 7];
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    acc++;
  }
  __local int *from = s[0], *to = s[1];
  from[l] = l * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < trip[get_group_id(0)]; i++) {
    to[l] = from[(l + 1) & 7] + from[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *t = from;
    from = to;
    to = t;
    if (i == 4)
      break;
  }
  acc += from[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  switch (n) {
  case 5:
    u.f[l] = l + 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    acc += u.i[7 - l] >> 16;
    break;
  default:
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[l] = (short4)(l, n, id, -1);
  st.v[l] = l;
  l3[l] = (float3)(l);
  mem_fence(CLK_LOCAL_MEM_FENCE);
  read_mem_fence(CLK_GLOBAL_MEM_FENCE);
  write_mem_fence(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  acc += c[7 - l].z + st.v[(l + 2) & 7] + (int)l3[(l + n) & 7].y;
  if (l == 0) {
    ptr[0] = a;
    ptr[1] = b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  acc += ptr[0][l];
  o[id] = acc;
}
__kernel void copies(__global const int *in, __global float4 *out, __global int *o, __local int *big) {
  __local float4 f4[8];
  __local int t[2][16];
  __local char3 c3[8];
  __local double d[8];
  int l = get_local_id(0), g = get_group_id(0);
  event_t e[3];
  e[0] = async_work_group_copy(t[0], in + 16 * g, 16, 0);
  e[1] = async_work_group_copy((__local int *)f4, in, (size_t)32, 0);
  e[2] = async_work_group_strided_copy(big, in + 3, 8, 5, e[1]);
  prefetch(in, 16);
  wait_group_events(3, e);
  int acc = t[0][l] + ((__local int *)f4)[l + 8] + big[7 - l];
  for (int i = 0; i < 4; i++) {
    event_t x = async_work_group_copy(t[(i + 1) & 1], in + 16 * i, 16, 0);
    acc += t[i & 1][(l + i) & 15];
    wait_group_events(1, &x);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  f4[l] = (float4)(acc, l, g, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t y = async_work_group_copy(out + 8 * g, f4, 8, 0);
  wait_group_events(1, &y);
  y = async_work_group_copy(c3, (__global const char3 *)in, 8, 0);
  wait_group_events(1, &y);
  acc += c3[l].z;
  y = async_work_group_strided_copy(d, (__global const double *)in, 8, 3, 0);
  wait_group_events(1, &y);
  acc += as_long(d[l]) >> 20;
  o[get_global_id(0)] = acc;
}
__kernel void atomics(__global int *o, __global uint *ou, __global float *of, __global long *ol, __global ulong *oul,
                      int n) {
  __local int li;
  __local float lf;
  __local long ll;
  __local ulong lu[2];
  int l = get_local_id(0), id = get_global_id(0);
  if (l == 0) {
    li = 0;
    lf = 1;
    ll = 5;
    lu[0] = lu[1] = 7;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&li, l);
  atom_add(&ll, (long)l << 33);
  atom_max(&lu[0], (ulong)l << 40);
  atom_xor(&lu[1], (ulong)1 << (l + 20));
  atomic_xchg(&lf, 2.5f);
  atom_min(&ll, 77L << 33);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    o[get_group_id(0)] = li;
    of[get_group_id(0)] = lf;
    ol[get_group_id(0)] = ll;
    oul[get_group_id(0)] = lu[0] + lu[1];
  }
  atomic_inc(&o[16]);
  atomic_dec(&o[17]);
  atomic_min(&o[18], -id);
  atomic_max(&o[19], id);
  atomic_and(&o[20], ~(1 << (id & 7)));
  atomic_or(&o[21], 1 << (id & 31));
  atomic_xor(&o[22], id);
  atomic_sub(&o[23], id * 3);
  atomic_cmpxchg(&o[24], 0, 0);
  atomic_cmpxchg(&o[24], 0, 9);
  atomic_min(&ou[0], (uint)-id);
  atomic_max(&ou[1], (uint)-id);
  atom_add(&oul[16], 1UL << 40);
  atom_inc(&oul[17]);
  atom_dec(&oul[18]);
  atom_sub(&ol[16], 3L);
  atom_xchg(&ol[17], 8L);
  atom_cmpxchg(&ol[18], 0L, 11L);
  atom_min(&ol[19], (long)-id << 35);
  atom_max(&oul[19], (ulong)id << 35);
  atom_and(&ol[20], ~(1L << (id + 20)));
  atom_or(&oul[20], 1UL << (id + 20));
  atomic_xchg(&of[16], 3.25f);
  volatile __global int *as = (volatile __global int *)&of[17];
  int old = *as, seen;
  while ((seen = atomic_cmpxchg(as, old, as_int(as_float(old) + id))) != old)
    old = seen;
  atom_inc(&o[25]);
  ou[2 + id] = atomic_add((__global uint *)(o + 26 + id), 5u) + 1;
  o[100 + id] = atomic_xchg(&o[60 + id], id * 2) + atomic_cmpxchg(&o[60 + id], id * 2, 7) +
                atomic_inc(&o[60 + id]) * 100 + atomic_dec(&o[60 + id]) * 1000;
}
