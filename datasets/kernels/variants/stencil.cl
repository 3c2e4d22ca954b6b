/* One step of a stencil of five or nine points, as kernel programmers write it. The neighbour of an element at the edge
 * that would lie outside is the nearest element inside.
 * Defined by: Jacobi's iteration on a grid with the weights CENTRE, SIDE and (nine points) CORNER.
 * Shapes: `in` and `out` are height x width, row-major; LX divides the width, LY * ROWS the height. A work-group has
 * LX x LY work-items for LX x (LY * ROWS) elements.
 *   POINTS  5 or 9
 *   ROWS    elements of a work-item, one below the other
 *   METHOD  0: loads from global memory; 1: a tile with its border in local memory; 2: loads from global memory,
 *           the three rows of the stencil move down through registers */
#if POINTS == 5
#define CENTRE 0.5f
#define SIDE   0.125f
#else
#define CENTRE 0.25f
#define SIDE   0.125f
#define CORNER 0.0625f
#endif

/* The parts of the sum that lie in the row of the element and in a row next to it. */
#define MIDDLE_ROW(left, centre, right) (CENTRE * (centre) + SIDE * ((left) + (right)))
#if POINTS == 5
#define OUTER_ROW(left, centre, right) (SIDE * (centre))
#else
#define OUTER_ROW(left, centre, right) (SIDE * (centre) + CORNER * ((left) + (right)))
#endif

__kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void
stencil(__global const float *restrict in, __global float *restrict out, int width, int height) {
  const int x = get_global_id(0);
  const int top = get_global_id(1) * ROWS;

#if METHOD == 1
  __local float tile[LY * ROWS + 2][LX + 2];
  const int tile_left = get_group_id(0) * LX - 1, tile_top = get_group_id(1) * LY * ROWS - 1;

  for (int row = get_local_id(1); row < LY * ROWS + 2; row += LY)
    for (int column = get_local_id(0); column < LX + 2; column += LX)
      tile[row][column] = in[clamp(tile_top + row, 0, height - 1) * width + clamp(tile_left + column, 0, width - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);

  const int column = get_local_id(0) + 1;
  for (int i = 0; i < ROWS; ++i) {
    const int row = get_local_id(1) * ROWS + i + 1;
    out[(top + i) * width + x] =
        MIDDLE_ROW(tile[row][column - 1], tile[row][column], tile[row][column + 1]) +
        (OUTER_ROW(tile[row - 1][column - 1], tile[row - 1][column], tile[row - 1][column + 1]) +
         OUTER_ROW(tile[row + 1][column - 1], tile[row + 1][column], tile[row + 1][column + 1]));
  }
#else
  const int left = max(x - 1, 0), right = min(x + 1, width - 1);
#if METHOD == 0
  for (int i = 0; i < ROWS; ++i) {
    const int y = top + i;
    __global const float *middle = in + y * width;
    __global const float *above = in + max(y - 1, 0) * width;
    __global const float *below = in + min(y + 1, height - 1) * width;
    out[y * width + x] =
        MIDDLE_ROW(middle[left], middle[x], middle[right]) +
        (OUTER_ROW(above[left], above[x], above[right]) + OUTER_ROW(below[left], below[x], below[right]));
  }
#else
  __global const float *row = in + max(top - 1, 0) * width;
  float above = OUTER_ROW(row[left], row[x], row[right]);
  row = in + top * width;
  float outer = OUTER_ROW(row[left], row[x], row[right]), middle = MIDDLE_ROW(row[left], row[x], row[right]);

  for (int i = 0; i < ROWS; ++i) {
    row = in + min(top + i + 1, height - 1) * width;
    const float below = OUTER_ROW(row[left], row[x], row[right]);
    out[(top + i) * width + x] = middle + (above + below);
    above = outer;
    outer = below;
    middle = MIDDLE_ROW(row[left], row[x], row[right]);
  }
#endif
#endif
}

/* The same sums in double precision. */
__kernel void stencil_check(__global const float *in, __global float *expected, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const double value = in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
          if (dx == 0 && dy == 0)
            sum += CENTRE * value;
          else if (dx == 0 || dy == 0)
            sum += SIDE * value;
#if POINTS == 9
          else
            sum += CORNER * value;
#endif
        }
      expected[y * width + x] = (float)sum;
    }
}
