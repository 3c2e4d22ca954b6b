/* Sums of floats as kernel programmers write them: every work-item adds up its share, then the work-group adds up its
 * work-items in a tree in local memory and stores one sum.
 * Defined by: the steps of Harris, "Optimizing Parallel Reduction in CUDA" (2007).
 * Shapes: `in` has n floats; `out` has one float a work-group.
 *   LOCAL    work-items of a work-group, a power of two
 *   VEC      floats of a load: 1, 2 or 4
 *   UNROLL   loads that a work-item has under way, each with a sum of its own: 1, 2 or 4
 *   BLOCKED  0: neighbouring work-items load neighbouring vectors; 1: a work-item's vectors lie side by side
 *   TREE     0: sequential addressing; 1: interleaved addressing, every second, fourth, ... work-item is active;
 *            2: interleaved addressing by the first work-items, with bank conflicts
 * UNROLL * VEC * (all work-items) divides n. */
#if VEC == 1
typedef float vector;
#define SUM(v) (v)
#elif VEC == 2
typedef float2 vector;
#define SUM(v) (v.x + v.y)
#else
typedef float4 vector;
#define SUM(v) ((v.x + v.y) + (v.z + v.w))
#endif

__kernel void reduce(__global const vector *restrict in, __global float *restrict out, int n) {
  __local float part[LOCAL];
  const int id = get_local_id(0);
  const int items = get_global_size(0);
  const int each = n / VEC / items; /* vectors of a work-item */
#if BLOCKED
  const int step = 1;
  int at = get_global_id(0) * each;
#else
  const int step = items;
  int at = get_global_id(0);
#endif

  vector sum0 = 0.0f;
#if UNROLL >= 2
  vector sum1 = 0.0f;
#endif
#if UNROLL >= 4
  vector sum2 = 0.0f, sum3 = 0.0f;
#endif
  for (int i = 0; i < each; i += UNROLL) {
    sum0 += in[at];
#if UNROLL >= 2
    sum1 += in[at + step];
#endif
#if UNROLL >= 4
    sum2 += in[at + 2 * step];
    sum3 += in[at + 3 * step];
#endif
    at += UNROLL * step;
  }
#if UNROLL >= 4
  sum0 += sum2;
  sum1 += sum3;
#endif
#if UNROLL >= 2
  sum0 += sum1;
#endif

  part[id] = SUM(sum0);
  barrier(CLK_LOCAL_MEM_FENCE);
#if TREE == 0
  for (int half_size = LOCAL / 2; half_size > 0; half_size /= 2) {
    if (id < half_size)
      part[id] += part[id + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#elif TREE == 1
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    if (id % (2 * distance) == 0)
      part[id] += part[id + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    const int first = 2 * distance * id;
    if (first < LOCAL)
      part[first] += part[first + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  if (id == 0)
    out[get_group_id(0)] = part[0];
}

/* The sums of the same numbers from left to right, in double precision. */
__kernel void reduce_check(__global const float *in, __global float *expected, int n, int groups) {
  const int vectors = n / VEC / groups; /* of a work-group */

  for (int group = 0; group < groups; ++group) {
    double sum = 0.0;
    for (int i = 0; i < vectors; ++i) {
#if BLOCKED
      const int at = group * vectors + i;
#else
      const int at = (i / LOCAL * groups + group) * LOCAL + i % LOCAL;
#endif
      for (int k = 0; k < VEC; ++k)
        sum += in[at * VEC + k];
    }
    expected[group] = (float)sum;
  }
}
