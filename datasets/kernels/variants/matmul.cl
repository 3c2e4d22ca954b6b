/* C = A B, a matrix product on floats, in versions that differ in tiles, results an item and width of loads.
 *
 * Defined by: the product's definition; the tiles are those of the textbooks (Kirk, Hwu, "Programming Massively
 *   Parallel Processors", chapter on memory architecture and data locality).
 *   TILE 0: no local memory. Otherwise a work-group computes TILE rows and TILE * VEC columns of C through tiles of A
 *     and B in local memory.
 *   WORK: rows of C that an item computes, in a private array. VEC: columns, in one vector that is loaded at once.
 *   TURN 1: the tile of A is kept column by column. PAD: unused elements at the end of each row of that tile.
 *   SWAP 1 (TILE 0): neighbouring items lie along a column of C in place of a row.
 * Shapes: A is M x K, B is K x N, C is M x N, all row-major. With tiles, TILE divides M and K, TILE * VEC divides N,
 *   and WORK divides TILE; the work-group has TILE x TILE / WORK items. Without, WORK divides M and VEC divides N.
 * Precision: the sums of 1024 products of numbers in [-1, 1) stay near 10, where a float has steps of 1e-6; roundings
 *   of 1024 additions add up like random steps, to about 2e-5. The bound of the check is five times that. */
#ifndef TILE
#define TILE 16
#define WORK 1
#define VEC  1
#define TURN 0
#define PAD  0
#define SWAP 0
#endif

#if VEC == 4
#define VECTOR float4
#elif VEC == 2
#define VECTOR float2
#else
#define VECTOR float
#endif

#if TILE == 0
__kernel void matmul(__global const float *A, __global const VECTOR *B, __global VECTOR *C, int N, int K) {
  const int column = get_global_id(SWAP);
  const int row = get_global_id(1 - SWAP) * WORK;
  const int vectors = N / VEC;
  VECTOR sum[WORK];
  for (int w = 0; w < WORK; ++w)
    sum[w] = 0.0f;
  for (int k = 0; k < K; ++k) {
    const VECTOR b = B[k * vectors + column];
    for (int w = 0; w < WORK; ++w)
      sum[w] += A[(row + w) * K + k] * b;
  }
  for (int w = 0; w < WORK; ++w)
    C[(row + w) * vectors + column] = sum[w];
}
#else
#define STEP (TILE / WORK)
#if TURN
#define TILE_A(row, k) tile_a[k][row]
#else
#define TILE_A(row, k) tile_a[row][k]
#endif
__kernel void matmul(__global const float *A, __global const VECTOR *B, __global VECTOR *C, int N, int K) {
  __local float tile_a[TILE][TILE + PAD];
  __local VECTOR tile_b[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0);
  const int row = get_group_id(1) * TILE + y;
  const int vectors = N / VEC;
  VECTOR sum[WORK];
  for (int w = 0; w < WORK; ++w)
    sum[w] = 0.0f;
  for (int first = 0; first < K; first += TILE) {
    for (int w = 0; w < WORK; ++w) {
      TILE_A(y + w * STEP, x) = A[(row + w * STEP) * K + first + x];
      tile_b[y + w * STEP][x] = B[(first + y + w * STEP) * vectors + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
      const VECTOR b = tile_b[k][x];
      for (int w = 0; w < WORK; ++w)
        sum[w] += TILE_A(y + w * STEP, k) * b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int w = 0; w < WORK; ++w)
    C[(row + w * STEP) * vectors + column] = sum[w];
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

/* Computes every `step`-th element of C in double precision. */
__kernel void matmul_check(__global const float *A, __global const float *B, __global const float *C,
                           __global float *expected, int M, int N, int K, int step) {
  copy(C, expected, M * N);
  for (int i = 0; i < M * N; i += step) {
    const int row = i / N, column = i % N;
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
      sum += (double)A[row * K + k] * B[k * N + column];
    expected[i] = (float)sum;
  }
}
