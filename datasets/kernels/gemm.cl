/* General matrix multiply, C = alpha A B + beta C, one work-item an element of C.
 *
 * Defined by: the GEMM of PolyBench (Pouchet) and the shape of its OpenCL form in PolyBench/GPU (Grauer-Gray et al., "Auto-tuning
 *   a high-level language targeted to GPU codes", InPar 2012): dimension 0 walks the columns of C, dimension 1 its rows, and the
 *   sum is kept in C itself, in global memory, not in a register.
 * Shapes: A is NI x NK, B is NK x NJ, C is NI x NJ, all row-major. The global size may be larger than C.
 * Options: -DTYPE=float | int | float4 (element by element; the scalars are then -DSCALAR=float). */
#ifndef TYPE
#define TYPE float
#endif
#ifndef SCALAR
#define SCALAR TYPE
#endif

__kernel void gemm(__global const TYPE *A, __global const TYPE *B, __global TYPE *C, SCALAR alpha, SCALAR beta, int NI,
                   int NJ, int NK) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NJ) {
    C[i * NJ + j] *= beta;
    for (int k = 0; k < NK; ++k)
      C[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
  }
}
