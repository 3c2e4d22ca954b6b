/* Transposition, out[x][y] = in[y][x], as kernel programmers write it: straight, with a stride on one side, or through
 * a tile in local memory, with none.
 * Defined by: Ruetsch, Micikevicius, "Optimizing matrix transpose in CUDA" (2009).
 * Shapes: `in` is height x width, `out` width x height, row-major; TILE divides both. A work-group has
 * TILE x (TILE / ROWS) work-items for TILE x TILE elements.
 *   METHOD  0: straight, neighbouring work-items read neighbours; 1: straight, they write neighbours; 2: by a tile
 *   TILE    edge of the square of a work-group
 *   ROWS    elements of a work-item, TILE / ROWS rows apart
 *   PAD     columns of the tile that are not used: 1 avoids bank conflicts, 0 does not */
#define STEP (TILE / ROWS)

__kernel void transpose(__global const float *restrict in, __global float *restrict out, int width, int height) {
  const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  const int x = get_local_id(0), y = get_local_id(1);

#if METHOD == 0
  for (int row = y; row < TILE; row += STEP)
    out[(left + x) * height + top + row] = in[(top + row) * width + left + x];
#elif METHOD == 1
  for (int row = y; row < TILE; row += STEP)
    out[(left + row) * height + top + x] = in[(top + x) * width + left + row];
#else
  __local float tile[TILE][TILE + PAD];

  for (int row = y; row < TILE; row += STEP)
    tile[row][x] = in[(top + row) * width + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int row = y; row < TILE; row += STEP)
    out[(left + row) * height + top + x] = tile[x][row];
#endif
}

__kernel void transpose_check(__global const float *in, __global float *expected, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected[x * height + y] = in[y * width + x];
}
