/* The first of three matrix products, E = A B, one work-item an element, the sum kept in global memory.
 * Defined by: 3mm of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012); the other
 *   two products are the same kernel on other matrices.
 * Shapes: A is NI x NK, B is NK x NJ, E is NI x NJ, all row-major. */
__kernel void mm3_kernel1(__global const float *A, __global const float *B, __global float *E, int NI, int NJ, int NK) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NJ) {
    E[i * NJ + j] = 0.0f;
    for (int k = 0; k < NK; ++k)
      E[i * NJ + j] += A[i * NK + k] * B[k * NJ + j];
  }
}

__kernel void mm3_check(__global const float *A, __global const float *B, __global float *expected, int NI, int NJ,
                        int NK) {
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NJ; ++j) {
      double sum = 0.0;
      for (int k = 0; k < NK; ++k)
        sum += (double)A[i * NK + k] * B[k * NJ + j];
      expected[i * NJ + j] = (float)sum;
    }
}
