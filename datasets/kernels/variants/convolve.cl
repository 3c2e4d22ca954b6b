/* Convolution with a mask of (2 * RADIUS + 1) x (2 * RADIUS + 1) floats, as kernel programmers write it.
 * Defined by: Podlozhnyuk, "Image Convolution with CUDA" (2007), the form that is not separated.
 * Shapes: `out` is height x width; `in` has a border of RADIUS elements on each side, so that it is
 * (height + 2 * RADIUS) x (width + 2 * RADIUS); both are row-major. A work-group has LX x LY work-items, each with
 * RESULTS results. LX * (results along x) divides the width, LY * (results along y) the height.
 *   RESULTS   1, 2 or 4
 *   ALONG     0: the results of a work-item lie side by side; 1: they lie one below the other
 *   TILED     1: the elements of a work-group go through local memory
 *   CONSTANT  1: the mask lies in constant memory; 0: in global memory
 *   UNROLL    1: no loop over the mask is unrolled; 7: the loop over a row of it is, by 7, the length of a row where
 *             RADIUS is 3 */
#define SIDE (2 * RADIUS + 1)
#if ALONG == 0
#define RESULTS_X RESULTS
#define RESULTS_Y 1
#else
#define RESULTS_X 1
#define RESULTS_Y RESULTS
#endif
#define TILE_X (LX * RESULTS_X + 2 * RADIUS)
#define TILE_Y (LY * RESULTS_Y + 2 * RADIUS)

#if CONSTANT
#define MASK __constant
#else
#define MASK __global const
#endif

#if ALONG == 0
#define STEP(pitch) 1
#else
#define STEP(pitch) (pitch)
#endif
#if RESULTS == 1
typedef float vector;
#define ELEMENTS(p, step) ((p)[0])
#elif RESULTS == 2
typedef float2 vector;
#define ELEMENTS(p, step) ((float2)((p)[0], (p)[step]))
#else
typedef float4 vector;
#define ELEMENTS(p, step) ((float4)((p)[0], (p)[step], (p)[2 * (step)], (p)[3 * (step)]))
#endif

__kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void
convolve(__global const float *restrict in, MASK float *restrict mask, __global float *restrict out, int width) {
  const int x = get_global_id(0) * RESULTS_X, y = get_global_id(1) * RESULTS_Y;
  const int in_width = width + 2 * RADIUS;

#if TILED
  __local float tile[TILE_Y * TILE_X];
  const int left = get_group_id(0) * LX * RESULTS_X, top = get_group_id(1) * LY * RESULTS_Y;

  for (int row = get_local_id(1); row < TILE_Y; row += LY)
    for (int column = get_local_id(0); column < TILE_X; column += LX)
      tile[row * TILE_X + column] = in[(top + row) * in_width + left + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  __local const float *first = tile + (y - top) * TILE_X + x - left;
  const int pitch = TILE_X;
#else
  __global const float *first = in + y * in_width + x;
  const int pitch = in_width;
#endif

  vector sum = 0.0f;
#pragma unroll 1
  for (int row = 0; row < SIDE; ++row) {
#if UNROLL == 1
#pragma unroll 1
#else
#pragma unroll 7
#endif
    for (int column = 0; column < SIDE; ++column)
      sum += mask[row * SIDE + column] * ELEMENTS(first + row * pitch + column, STEP(pitch));
  }

  __global float *to = out + y * width + x;
#if RESULTS == 1
  to[0] = sum;
#else
  to[0] = sum.s0;
  to[STEP(width)] = sum.s1;
#endif
#if RESULTS == 4
  to[2 * STEP(width)] = sum.s2;
  to[3 * STEP(width)] = sum.s3;
#endif
}

/* The same sums in double precision. */
__kernel void convolve_check(__global const float *in, MASK float *mask, __global float *expected, int width,
                             int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column)
          sum += (double)mask[row * SIDE + column] * in[(y + row) * (width + 2 * RADIUS) + x + column];
      expected[y * width + x] = (float)sum;
    }
}
