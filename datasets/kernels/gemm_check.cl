/* What every GEMM of this folder must leave in C, said serially. `expected` starts with the contents C starts with.
 * Options: TYPE and SCALAR as in gemm.cl. */
#ifndef TYPE
#define TYPE float
#endif
#ifndef SCALAR
#define SCALAR TYPE
#endif

__kernel void gemm_check(__global const TYPE *A, __global const TYPE *B, __global TYPE *expected, SCALAR alpha,
                         SCALAR beta, int NI, int NJ, int NK) {
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NJ; ++j) {
      TYPE sum = beta * expected[i * NJ + j];
      for (int k = 0; k < NK; ++k)
        sum += alpha * A[i * NK + k] * B[k * NJ + j];
      expected[i * NJ + j] = sum;
    }
}
