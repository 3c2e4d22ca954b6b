/* Built-in functions of OpenCL C 2.0 with pointers whose address space is not in their type. A device without generic
 * pointers (PoCL 3.1) computes the same with pointers that have their spaces. */
#ifdef __opencl_c_generic_address_space
#define SPACE(name)
#define STORE_SCALED(space) store_scaled
#else
#define SPACE(name) name
#define STORE_SCALED(space) store_scaled_##space
#endif
__kernel void results(__global const float *x, __global float *g, __global int *n, __local float *l) {
  const int i = get_global_id(0), j = get_local_id(0), count = get_global_size(0);
  float private_part;
  SPACE(__local) float *anywhere = &l[j];
  int exponent, quotient;
  float4 whole, wide = (float4)(x[i], x[i] * 2, x[i] * 4, x[i] * 8) + 0.25f;
  g[i] = fract(x[i], &private_part) + private_part;
  g[i] += sincos(x[i], anywhere) + *anywhere;
  g[i] += modf(x[i], &g[count + i]);
  g[i] += frexp(x[i], &exponent) + exponent;
  g[i] += remquo(x[i], 3.0f, &quotient) + quotient;
  g[i] += lgamma_r(x[i] + 1.5f, &n[i]);
  wide = modf(wide, &whole);
  g[i] += wide.x + wide.y + wide.z + wide.w + whole.s0 + whole.s3;
}

#define DEFINE_STORE(space)                                                                                            \
  void STORE_SCALED(space)(SPACE(space) float *to, size_t i, float4 value, float factor) {                             \
    vstore4(value * factor, i, to);                                                                                    \
  }
DEFINE_STORE(__global)
#ifndef __opencl_c_generic_address_space
DEFINE_STORE(__local)
#endif

__kernel void halves(__global const float *x, __global half *h, __global float *g, __local float *l) {
  const int i = get_global_id(0), j = get_local_id(0);
  float4 v = vload4(i, x);
  vstore_half(v.x, i, h);
  vstore_half4(v, i + 16, h);
  STORE_SCALED(__global)(g, i, v + vload_half(i, h) + vload_half4(i + 16, h), 2.0f);
  STORE_SCALED(__local)(l, j, v, 3.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  g[4 * get_global_size(0) + i] = l[4 * j + 1];
}

__kernel void atomics(__global atomic_int *a, __global atomic_uint *u, __global atomic_float *f, __global int *o) {
  __local atomic_int here;
  __local atomic_flag taken;
  const int i = get_global_id(0), j = get_local_id(0);
  if (j == 0) {
    atomic_init(&here, 3);
    atomic_flag_clear(&taken);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&a[0], i);
  atomic_fetch_sub_explicit(&a[1], i, memory_order_relaxed);
  atomic_fetch_max_explicit(&a[2], i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min(&a[3], -i);
  atomic_fetch_or(&u[0], 1u << (i & 31));
  atomic_fetch_xor(&u[1], (uint)i);
  atomic_fetch_and(&u[2], ~(uint)i);
  atomic_fetch_add_explicit(&here, i, memory_order_acq_rel, memory_scope_work_group);
  if (!atomic_flag_test_and_set(&taken))
    atomic_fetch_add(&a[4], 1);
  int expected = atomic_load(&a[5]);
  while (!atomic_compare_exchange_strong(&a[5], &expected, expected + 2))
    ;
  float seen = atomic_load_explicit(&f[0], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&f[0], &seen, seen + 0.5f, memory_order_relaxed, memory_order_relaxed))
    ;
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (j == 0)
    o[i] = atomic_exchange(&here, 0) + atomic_load(&here);
  atomic_store(&a[8 + i], i * 5);
}
