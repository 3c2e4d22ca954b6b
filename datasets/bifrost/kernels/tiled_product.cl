/* A matrix product through tiles in local memory; the work-group is 8 x 8. */
__kernel void tiled_product(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float tile_a[8][8], tile_b[8][8];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k += 8) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; ++i)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
