/* Weighted mean over a rectangle around every pixel, cut off at the picture's edges, rounded to an integer.
 * Defined by: the SimpleConvolution sample of the AMD APP SDK 2.5: one work-item a pixel in one dimension, both sizes
 *   of the mask odd.
 * Shapes: input and output are size.x columns by size.y rows, row-major; mask is mask_size.x by mask_size.y. */
__kernel void simpleConvolution(__global uint *output, __global const uint *input, __global const float *mask,
                                uint2 size, uint2 mask_size) {
  const uint at = get_global_id(0);
  const uint x = at % size.x, y = at / size.x;
  const uint reach_x = (mask_size.x - 1) / 2, reach_y = (mask_size.y - 1) / 2;
  const uint left = x < reach_x ? 0 : x - reach_x, right = x + reach_x >= size.x ? size.x - 1 : x + reach_x;
  const uint top = y < reach_y ? 0 : y - reach_y, bottom = y + reach_y >= size.y ? size.y - 1 : y + reach_y;

  float sum = 0.0f;
  for (uint i = left; i <= right; ++i)
    for (uint j = top; j <= bottom; ++j)
      sum += (float)input[j * size.x + i] * mask[(j + reach_y - y) * mask_size.x + (i + reach_x - x)];
  output[at] = (uint)(sum + 0.5f);
}

/* Over the mask instead of over the picture, in double precision. */
__kernel void simple_convolution_check(__global uint *expected, __global const uint *input, __global const float *mask,
                                       int columns, int rows, int mask_columns, int mask_rows) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      double sum = 0.0;
      for (int b = 0; b < mask_rows; ++b)
        for (int a = 0; a < mask_columns; ++a) {
          const int i = x + a - mask_columns / 2, j = y + b - mask_rows / 2;
          if (i >= 0 && i < columns && j >= 0 && j < rows)
            sum += (double)input[j * columns + i] * mask[b * mask_columns + a];
        }
      expected[y * columns + x] = (uint)(sum + 0.5);
    }
}
