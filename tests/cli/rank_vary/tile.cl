#ifndef PAD
#define PAD 0
#endif

kernel void tiled(global const float *in, global float *out, int n) {
  local float tile[T][T + PAD];
  const int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * T, row = get_group_id(1) * T;
  for (int r = 0; r < ROWS; r++)
    tile[y + r * (T / ROWS)][x] = in[(row + y + r * (T / ROWS)) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < ROWS; r++)
    out[(column + y + r * (T / ROWS)) * n + row + x] = tile[x][y + r * (T / ROWS)];
}

kernel void plain(global const float *in, global float *out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
