/* One step of the five-point stencil: the interior becomes the weighted mean of itself and its four neighbours, the boundary is
 * copied. Defined by: Jacobi's iteration for the two-dimensional heat equation, as in PolyBench's jacobi-2d (weights 0.2).
 * Shapes: `in` and `out` are height x width, row-major. The global size may be larger. */
__kernel void stencil5(__global const float *in, __global float *out, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int at = y * width + x;

  if (x >= width || y >= height)
    return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[at] = in[at];
  else
    out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}

__kernel void stencil5_check(__global const float *in, __global float *expected, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int at = y * width + x;
      const bool interior = x > 0 && y > 0 && x < width - 1 && y < height - 1;
      expected[at] = in[at];
      if (interior)
        expected[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
    }
}
