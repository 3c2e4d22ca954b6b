/* Micro-kernels: each one keeps a single part of a GPU busy, so that its rate or latency can be read off the time.
 * Written for this project. The loops repeat `n` times; a rate is the work of the repetitions by which two launches
 * differ, over the difference of their times. */

#define FOUR(STEP) STEP STEP STEP STEP

/* 32 multiply-adds an iteration, in eight independent chains: as two vectors of four, for machines whose registers hold
 * vectors. */
__kernel void fma_rate(__global float4 *out, int n, float4 factor) {
  const size_t id = get_global_id(0);
  float4 a = id, b = a + 1.0f;

  for (int i = 0; i < n; ++i) {
    FOUR(a = fma(a, factor, factor); b = fma(b, factor, factor);)
  }
  out[id] = a + b;
}

/* 32 additions an iteration, in the same chains. */
__kernel void fadd_rate(__global float4 *out, int n, float4 step) {
  const size_t id = get_global_id(0);
  float4 a = id, b = a + 1.0f;

  for (int i = 0; i < n; ++i) {
    FOUR(a += step; b += step;)
  }
  out[id] = a + b;
}

/* 16 multiplications and 16 additions of integers an iteration, in four independent chains. */
__kernel void integer_rate(__global uint4 *out, int n, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  uint4 a = (uint)id;

  for (int i = 0; i < n; ++i) {
    FOUR(a = a * factor + step;)
  }
  out[id] = a;
}

/* A work-group of 64 loads a piece of 8 KiB in each iteration, eight vectors a work-item, and goes round and round
 * through `spread` pieces, which all work-groups share. Work-groups start at different pieces. */
__kernel void load_repeatedly(__global const int4 *in, __global int *out, int n, uint spread) {
  const size_t item = get_local_id(0);
  uint piece = (uint)get_group_id(0) * 37 % spread;
  int4 sum = 0;

  for (int i = 0; i < n; ++i) {
    __global const int4 *from = in + (size_t)piece * 512 + item;
    sum |= from[0] | from[64] | from[128] | from[192] | from[256] | from[320] | from[384] | from[448];
    piece = piece + 1 < spread ? piece + 1 : 0;
  }
  out[get_global_id(0)] = sum.x | sum.y | sum.z | sum.w;
}

/* Streams: `n` vectors a work-item, those of neighbouring work-items side by side. */
__kernel void load_stream(__global const int4 *in, __global int *out, int n) {
  const size_t id = get_global_id(0), items = get_global_size(0);
  int4 sum = 0;

  in += id;
  for (int i = 0; i < n; ++i, in += items)
    sum |= *in;
  out[id] = sum.x | sum.y | sum.z | sum.w;
}

__kernel void store_stream(__global int4 *out, int n) {
  const size_t items = get_global_size(0);

  out += get_global_id(0);
  for (int i = 0; i < n; ++i, out += items)
    *out = i;
}

__kernel void copy_stream(__global const int4 *in, __global int4 *out, int n) {
  const size_t id = get_global_id(0), items = get_global_size(0);

  in += id;
  out += id;
  for (int i = 0; i < n; ++i, in += items, out += items)
    *out = *in;
}

/* A ring of places, each `step` behind the one before; as many as there are work-items. */
__kernel void link_ring(__global ulong *next, ulong step) {
  const ulong id = get_global_id(0), items = get_global_size(0);

  next[id * step] = (id + 1) % items * step;
}

/* One work-item follows the ring, 16 loads an iteration, each from the address that the load before it gave. */
__kernel void chase(__global const ulong *next, __global ulong *out, int n) {
  ulong at = 0;

  for (int i = 0; i < n; ++i) {
    FOUR(FOUR(at = next[at];))
  }
  *out = at;
}

/* Eight atomic additions an iteration: all on one word, or every work-item on a word of its own. */
__kernel void atomic_one(__global int *sum, int n) {
  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(sum, 1); atomic_add(sum, 1);)
  }
}

__kernel void atomic_spread(__global int *sums, int n) {
  __global int *sum = sums + get_global_id(0);

  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(sum, 1); atomic_add(sum, 1);)
  }
}

__kernel void empty(__global int *unused) {
}

/* Expected sum of atomic_one over two launches. */
__kernel void atomic_one_check(__global int *expected, int items, int first, int second) {
  *expected = items * 8 * (first + second);
}

/* Where a walk ends that begins at 0 and takes 16 * n steps around a ring of so many places. */
__kernel void chase_check(__global ulong *expected, ulong places, ulong step, int n) {
  *expected = 16 * n % places * step;
}
