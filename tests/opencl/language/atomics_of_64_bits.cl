/* Atomic functions of cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics, and compare-exchange loops on
 * floats. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void atomics(__global long *o, __global ulong *u, __local long *l) {
  int i = get_global_id(0), j = get_local_id(0);
  l[j] = j;
  barrier(CLK_LOCAL_MEM_FENCE);
  atom_add(&o[0], (long)i);
  atom_sub(&o[1], (long)i);
  atom_inc(&o[2]);
  atom_dec(&o[3]);
  atom_min(&o[4], (long)i - 5);
  atom_max(&o[5], (long)i);
  atom_and(&u[0], (ulong)i);
  atom_or(&u[1], (ulong)i);
  atom_xor(&u[2], (ulong)i << 33);
  atom_add(&l[0], (long)i);
  atom_xchg(&l[j ? j : 1], 4L);
  long old = o[6], seen;
  do {
    seen = old;
    old = atom_cmpxchg(&o[6], seen, seen + 3);
  } while (old != seen);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!j)
    atom_add(&o[7], l[0] + l[1]);
}
__kernel void float_sum(__global float *o, __local float *l) {
  int i = get_global_id(0), j = get_local_id(0);
  if (j == 0)
    l[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  union {
    uint u;
    float f;
  } a, b;
  do {
    a.f = l[0];
    b.f = a.f + i;
  } while (atomic_cmpxchg((volatile __local uint *)l, a.u, b.u) != a.u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (j == 0)
    do {
      a.f = o[0];
      b.f = a.f + l[0];
    } while (atomic_cmpxchg((volatile __global uint *)o, a.u, b.u) != a.u);
  atomic_xchg(&o[1], 2.5f);
}
