/* C = A B through square tiles in local memory, with two barriers a tile.
 *
 * Defined by: the tiled matrix multiply of the textbooks (Kirk, Hwu, "Programming Massively Parallel Processors", chapter on
 *   memory architecture and data locality).
 * Shapes: A, B, C are N x N, row-major; N is a multiple of TILE; the work-group is TILE x TILE. */
#ifndef TILE
#define TILE 8
#endif

__kernel void gemm_tiled(__global const float *A, __global const float *B, __global float *C, int N) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  const int x = get_local_id(0);
  const int y = get_local_id(1);

  float sum = 0.0f;
  for (int first = 0; first < N; first += TILE) {
    tile_a[y][x] = A[row * N + first + x];
    tile_b[y][x] = B[(first + y) * N + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * N + column] = sum;
}
