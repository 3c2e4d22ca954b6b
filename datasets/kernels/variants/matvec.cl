/* y = A x, a matrix times a vector, in versions that differ in how items share the rows and read the matrix.
 *
 * Defined by: the product's definition. The versions are those of BLAS libraries (gemv for a matrix that is stored by
 *   rows, and for one that is stored by columns).
 *   VERSION 0: a row an item, matrix by rows. The items of a warp read places that lie a row apart.
 *   VERSION 1: ROWS rows a work-group, matrix by rows, with a tree of additions in local memory for each row.
 *   VERSION 2: a row an item, matrix by columns; PARTS items share a row, and the first adds up their sums.
 *   VEC is the number of floats that an item loads at once from the matrix (versions 0 and 1).
 *   STAGE 1: the work-group copies x to local memory a piece at a time (versions 0 and 2 with PARTS 1).
 *   UNROLL is the number of steps of the loop in a piece of constant length (versions 0 and 2).
 * Shapes: A has M x N floats; N is a multiple of LOCAL * VEC * UNROLL. The work-group has LOCAL items (version 2:
 *   LOCAL / PARTS items along the rows, PARTS along the columns).
 * Precision: the sums of 8192 products of numbers in [-1, 1) stay near 30, where a float has steps of 2e-6. Roundings
 *   of 8192 additions add up like random steps, to about 1e-4; the bound of the check is ten times that. */
#ifndef VERSION
#define VERSION 0
#define LOCAL   64
#define ROWS    1
#define PARTS   1
#define VEC     1
#define STAGE   0
#define UNROLL  1
#endif

#if VEC == 4
#define VECTOR float4
float sum_of(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}
#elif VEC == 2
#define VECTOR float2
float sum_of(float2 v) {
  return v.x + v.y;
}
#else
#define VECTOR float
float sum_of(float v) {
  return v;
}
#endif

#if VERSION == 0
__kernel void matvec(__global const VECTOR *A, __global const VECTOR *x, __global float *y, int M, int N) {
  const int row = get_global_id(0);
  const int vectors = N / VEC;
  __global const VECTOR *mine = A + row * vectors;
  VECTOR sum = 0.0f;
#if STAGE
  __local VECTOR staged[LOCAL];
  const int lane = get_local_id(0);
  for (int first = 0; first < vectors; first += LOCAL) {
    staged[lane] = x[first + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < LOCAL; i += UNROLL)
      for (int u = 0; u < UNROLL; ++u)
        sum += mine[first + i + u] * staged[i + u];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  for (int i = 0; i < vectors; i += UNROLL)
    for (int u = 0; u < UNROLL; ++u)
      sum += mine[i + u] * x[i + u];
#endif
  y[row] = sum_of(sum);
}
#endif

#if VERSION == 1
__kernel void matvec(__global const VECTOR *A, __global const VECTOR *x, __global float *y, int M, int N) {
  __local float sums[ROWS][LOCAL];
  const int lane = get_local_id(0);
  const int row = get_group_id(0) * ROWS;
  const int vectors = N / VEC;
  VECTOR sum[ROWS];
  for (int r = 0; r < ROWS; ++r)
    sum[r] = 0.0f;
  for (int i = lane; i < vectors; i += LOCAL) {
    const VECTOR factor = x[i];
    for (int r = 0; r < ROWS; ++r)
      sum[r] += A[(row + r) * vectors + i] * factor;
  }
  for (int r = 0; r < ROWS; ++r)
    sums[r][lane] = sum_of(sum[r]);
  for (int half_of_them = LOCAL / 2; half_of_them > 0; half_of_them /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_of_them)
      for (int r = 0; r < ROWS; ++r)
        sums[r][lane] += sums[r][lane + half_of_them];
  }
  if (lane == 0)
    for (int r = 0; r < ROWS; ++r)
      y[row + r] = sums[r][0];
}
#endif

#if VERSION == 2
__kernel void matvec(__global const float *A, __global const float *x, __global float *y, int M, int N) {
  const int row = get_global_id(0);
  float sum = 0.0f;
#if STAGE
  __local float staged[LOCAL];
  const int lane = get_local_id(0);
  for (int first = 0; first < N; first += LOCAL) {
    staged[lane] = x[first + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < LOCAL; i += UNROLL)
      for (int u = 0; u < UNROLL; ++u)
        sum += A[(first + i + u) * M + row] * staged[i + u];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  const int part = get_local_id(1);
  for (int i = part * (N / PARTS); i < (part + 1) * (N / PARTS); i += UNROLL)
    for (int u = 0; u < UNROLL; ++u)
      sum += A[(i + u) * M + row] * x[i + u];
#endif
#if PARTS > 1
  __local float sums[PARTS][LOCAL / PARTS];
  const int column = get_local_id(0);
  sums[part][column] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part == 0) {
    for (int p = 1; p < PARTS; ++p)
      sum += sums[p][column];
    y[row] = sum;
  }
#else
  y[row] = sum;
#endif
}
#endif

/* The unchecked elements of what is expected are those that were found; sixteen at a time, since one item does it. */
void copy(__global const float *from, __global float *to, int count) {
  int i = 0;
  for (; i + 16 <= count; i += 16)
    vstore16(vload16(0, from + i), 0, to + i);
  for (; i < count; ++i)
    to[i] = from[i];
}

/* Computes every `step`-th element of y in double precision. */
__kernel void matvec_check(__global const float *A, __global const float *x, __global const float *y,
                           __global float *expected, int M, int N, int step) {
  copy(y, expected, M);
  for (int row = 0; row < M; row += step) {
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
#if VERSION == 2
      sum += (double)A[i * M + row] * x[i];
#else
      sum += (double)A[row * N + i] * x[i];
#endif
    expected[row] = (float)sum;
  }
}
