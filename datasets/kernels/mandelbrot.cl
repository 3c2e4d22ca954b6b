/* Turns until z -> z^2 + c leaves the circle of radius 2, at most `limit`: a loop of a different length in every
 * work-item.
 * Defined by: the escape-time picture of the Mandelbrot set (Brooks, Matelski 1978); c runs over [-2, 1) x [-1.5,
 *   1.5). Contraction is off, so that every device takes the same turns: near the border one rounding decides.
 * Shapes: turns is width x height, row-major; sizes are powers of two. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *turns, int width, int height, uint limit) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  const float cx = (float)column * (3.0f / (float)width) - 2.0f;
  const float cy = (float)row * (3.0f / (float)height) - 1.5f;

  float x = 0.0f, y = 0.0f;
  uint turn = 0;
  while (turn < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++turn;
  }
  turns[row * width + column] = turn;
}

/* The same roundings in the same order: products before sums, each to float. */
__kernel void mandelbrot_check(__global uint *expected, int width, int height, uint limit) {
  for (int at = 0; at < width * height; ++at) {
    const float cx = (at % width) * (3.0f / width) - 2.0f, cy = (at / width) * (3.0f / height) - 1.5f;
    float x = 0.0f, y = 0.0f;
    expected[at] = limit;
    for (uint turn = 0; turn < limit; ++turn) {
      const float xx = x * x, yy = y * y, xy = 2.0f * x * y;
      if (xx + yy > 4.0f) {
        expected[at] = turn;
        break;
      }
      x = xx - yy + cx;
      y = xy + cy;
    }
  }
}
