/* Prefix sums within work-groups, as kernel programmers write them: every work-group makes the inclusive prefix sums of
 * its own part of the array.
 * Defined by: Hillis, Steele, "Data Parallel Algorithms" (1986), and Blelloch, "Prefix Sums and Their Applications"
 *   (1990), in the form of Harris, Sengupta, Owens, "Parallel Prefix Sum (Scan) with CUDA" (2007).
 * Shapes: `in` and `out` have ROUNDS * LOCAL * ITEMS elements a work-group.
 *   METHOD  0: Hillis-Steele with two buffers; 1: Hillis-Steele in one buffer with two barriers a step; 2: Blelloch
 *   LOCAL   work-items of a work-group, a power of two
 *   ITEMS   elements of a work-item and round, side by side
 *   WIDE    1: a work-item loads and stores its 1, 2 or 4 elements as one vector; 0: one by one
 *   ROUNDS  a work-group makes its prefix sums in ROUNDS parts of LOCAL * ITEMS elements and carries the total over
 *   PAD     1: a word of local memory in 32 is not used, against bank conflicts; 0: none (for Blelloch) */
#if PAD
#define AT(i) ((i) + (i) / 32)
#else
#define AT(i) (i)
#endif

#if WIDE && ITEMS == 2
typedef uint2 vector;
#elif WIDE && ITEMS == 4
typedef uint4 vector;
#endif

/* Returns the inclusive prefix sum of `value` over the work-group and sets *total to the sum of all. All work-items of
 * the work-group call it. */
uint scan_group(uint value, __local uint *sums, uint *total) {
  const int id = get_local_id(0);

#if METHOD == 0
  int from = 0;
  sums[id] = value;
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    const int to = LOCAL - from;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id >= distance)
      value += sums[from + id - distance];
    sums[to + id] = value;
    from = to;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *total = sums[from + LOCAL - 1];
#elif METHOD == 1
  sums[id] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < LOCAL; distance *= 2) {
    if (id >= distance)
      value += sums[id - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *total = sums[LOCAL - 1];
#else
  const uint own = value;
  int distance = 1;
  sums[AT(id)] = value;
  for (int active = LOCAL / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < active) {
      const int left = distance * (2 * id + 1) - 1, right = distance * (2 * id + 2) - 1;
      sums[AT(right)] += sums[AT(left)];
    }
    distance *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *total = sums[AT(LOCAL - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0)
    sums[AT(LOCAL - 1)] = 0;
  for (int active = 1; active < LOCAL; active *= 2) {
    distance /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < active) {
      const int left = distance * (2 * id + 1) - 1, right = distance * (2 * id + 2) - 1;
      const uint before = sums[AT(left)];
      sums[AT(left)] = sums[AT(right)];
      sums[AT(right)] += before;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  value = sums[AT(id)] + own;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}

__kernel void scan(__global const uint *restrict in, __global uint *restrict out) {
#if METHOD == 0
  __local uint sums[2 * LOCAL];
#else
  __local uint sums[AT(LOCAL - 1) + 1];
#endif
  int at = (get_group_id(0) * ROUNDS * LOCAL + get_local_id(0)) * ITEMS;
  uint carry = 0;

  for (int round = 0; round < ROUNDS; ++round, at += LOCAL * ITEMS) {
    uint total;
#if WIDE && ITEMS == 2
    vector v = *(__global const vector *)(in + at);
    v.s1 += v.s0;
    const uint sum = v.s1;
    v += carry + scan_group(sum, sums, &total) - sum;
    *(__global vector *)(out + at) = v;
#elif WIDE && ITEMS == 4
    vector v = *(__global const vector *)(in + at);
    v.s1 += v.s0;
    v.s2 += v.s1;
    v.s3 += v.s2;
    const uint sum = v.s3;
    v += carry + scan_group(sum, sums, &total) - sum;
    *(__global vector *)(out + at) = v;
#else
    uint sum = 0;
    for (int i = 0; i < ITEMS; ++i)
      sum += in[at + i];
    sum = carry + scan_group(sum, sums, &total) - sum;
    for (int i = 0; i < ITEMS; ++i) {
      sum += in[at + i];
      out[at + i] = sum;
    }
#endif
    carry += total;
  }
}

/* The prefix sums of parts of `part` elements, from left to right. */
__kernel void scan_check(__global const uint *in, __global uint *expected, int n, int part) {
  uint sum = 0;

  for (int i = 0; i < n; ++i) {
    sum = i % part == 0 ? in[i] : sum + in[i];
    expected[i] = sum;
  }
}
