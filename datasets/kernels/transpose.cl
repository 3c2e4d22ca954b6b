/* Transposition, out[x][y] = in[y][x]: straight, with a stride on one side, and through a tile in local memory, with
 * none.
 * Defined by: Ruetsch, Micikevicius, "Optimizing matrix transpose in CUDA" (2009); the tile has one column more than
 *   it needs, against bank conflicts.
 * Shapes: in is height x width, out width x height, row-major; the tiled form has work-groups of TILE x TILE that
 *   divide both. */
#ifndef TILE
#define TILE 16
#endif

__kernel void transpose_naive(__global const float *in, __global float *out, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

__kernel void transpose_tiled(__global const float *in, __global float *out, int width, int height) {
  __local float tile[TILE][TILE + 1];
  const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  const int x = get_local_id(0), y = get_local_id(1);

  tile[y][x] = in[(top + y) * width + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + y) * height + top + x] = tile[x][y];
}

__kernel void transpose_check(__global const float *in, __global float *expected, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected[x * height + y] = in[y * width + x];
}
