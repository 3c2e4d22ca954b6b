/* Two matrix products in a row, D = beta D + (alpha A B) C, one work-item an element, sums kept in global memory.
 * Defined by: 2mm of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012): dimension 0
 *   walks columns, dimension 1 rows.
 * Shapes: A is NI x NK, B is NK x NJ, tmp is NI x NJ, C is NJ x NL, D is NI x NL, all row-major. */
__kernel void mm2_kernel1(__global const float *A, __global const float *B, __global float *tmp, int NI, int NJ, int NK,
                          float alpha) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NJ) {
    tmp[i * NJ + j] = 0.0f;
    for (int k = 0; k < NK; ++k)
      tmp[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
  }
}

__kernel void mm2_kernel2(__global const float *tmp, __global const float *C, __global float *D, int NI, int NL, int NJ,
                          float beta) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NL) {
    D[i * NL + j] *= beta;
    for (int k = 0; k < NJ; ++k)
      D[i * NL + j] += tmp[i * NJ + k] * C[k * NL + j];
  }
}

/* left is rows x inner, right inner x columns: expected = beta start + alpha left right, with double sums. */
__kernel void mm2_check(__global const float *left, __global const float *right, __global float *expected, int rows,
                        int columns, int inner, float alpha, float beta, float start) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k)
        sum += (double)left[i * inner + k] * right[k * columns + j];
      expected[i * columns + j] = (float)((double)beta * start + alpha * sum);
    }
}
