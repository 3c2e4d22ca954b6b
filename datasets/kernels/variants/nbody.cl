/* Accelerations of bodies by the gravity of others, all pairs.
 *
 * Defined by: Nyland, Harris, Prins, "Fast N-body simulation with CUDA" (GPU Gems 3, chapter 31), softened by
 *   `softening` (squared length). The versions are theirs, and the direct one without local memory.
 *   TILED 0: every item reads every source from global memory; 1: through local memory, LOCAL sources at a time.
 *   WORK: bodies an item. UNROLL: steps of the loop in a piece of constant length.
 *   ROOT 0: rsqrt; 1: native_rsqrt; 2: 1 / sqrt.
 *   SCALAR 1: a source is read as four floats, in place of one float4 (with TILED 0).
 * Shapes: bodies and sources are float4 of position and mass. TARGETS is a multiple of LOCAL * WORK, SOURCES one of
 *   LOCAL, LOCAL one of UNROLL.
 * Precision: positions are in [0, 1) and the softening is 0.01, so that a term is below 39 times the mass. The sum of
 *   512 terms stays near 100, where a float has steps of 8e-6; native_rsqrt may be wrong in the 20th bit of each term
 *   (the roots of GPUs have at least 22 good bits). The bound is 1e-4 of the largest sums. */
#ifndef TILED
#define TILED  0
#define LOCAL  64
#define WORK   1
#define UNROLL 1
#define ROOT   0
#define SCALAR 0
#endif

float inverse_root(float squared) {
#if ROOT == 0
  return rsqrt(squared);
#elif ROOT == 1
  return native_rsqrt(squared);
#else
  return 1.0f / sqrt(squared);
#endif
}

float4 pull(float4 me, float4 other, float softening) {
  const float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
  const float near = inverse_root(x * x + y * y + z * z + softening);
  const float strength = other.w * near * near * near;
  return (float4)(strength * x, strength * y, strength * z, 0.0f);
}

#if SCALAR
#define SOURCE float
float4 source_at(__global const float *sources, int i) {
  return (float4)(sources[4 * i], sources[4 * i + 1], sources[4 * i + 2], sources[4 * i + 3]);
}
#else
#define SOURCE float4
float4 source_at(__global const float4 *sources, int i) {
  return sources[i];
}
#endif

__kernel void nbody(__global const float4 *bodies, __global const SOURCE *sources, __global float4 *accelerations,
                    int n, float softening) {
  const int lane = get_local_id(0);
  const int first_body = get_group_id(0) * (LOCAL * WORK) + lane;
  float4 me[WORK], acceleration[WORK];
  for (int w = 0; w < WORK; ++w) {
    me[w] = bodies[first_body + w * LOCAL];
    acceleration[w] = (float4)(0.0f);
  }
#if TILED
  __local float4 tile[LOCAL];
  for (int first = 0; first < n; first += LOCAL) {
    tile[lane] = source_at(sources, first + lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < LOCAL; i += UNROLL)
      for (int u = 0; u < UNROLL; ++u) {
        const float4 other = tile[i + u];
        for (int w = 0; w < WORK; ++w)
          acceleration[w] += pull(me[w], other, softening);
      }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  for (int i = 0; i < n; i += UNROLL)
    for (int u = 0; u < UNROLL; ++u) {
      const float4 other = source_at(sources, i + u);
      for (int w = 0; w < WORK; ++w)
        acceleration[w] += pull(me[w], other, softening);
    }
#endif
  for (int w = 0; w < WORK; ++w)
    accelerations[first_body + w * LOCAL] = acceleration[w];
}

/* The unchecked elements of what is expected are those that were found; sixteen at a time, since one item does it. */
void copy(__global const float *from, __global float *to, int count) {
  int i = 0;
  for (; i + 16 <= count; i += 16)
    vstore16(vload16(0, from + i), 0, to + i);
  for (; i < count; ++i)
    to[i] = from[i];
}

/* Computes every `step`-th body's acceleration in double precision. */
__kernel void nbody_check(__global const float *bodies, __global const float *sources,
                          __global const float *accelerations, __global float *expected, int targets, int n,
                          float softening, int step) {
  copy(accelerations, expected, 4 * targets);
  for (int i = 0; i < targets; i += step) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < n; ++k) {
      double towards[3], squared = softening;
      for (int d = 0; d < 3; ++d) {
        towards[d] = (double)sources[4 * k + d] - bodies[4 * i + d];
        squared += towards[d] * towards[d];
      }
      for (int d = 0; d < 3; ++d)
        sum[d] += sources[4 * k + 3] * towards[d] / (squared * sqrt(squared));
    }
    for (int d = 0; d < 3; ++d)
      expected[4 * i + d] = (float)sum[d];
    expected[4 * i + 3] = 0.0f;
  }
}
