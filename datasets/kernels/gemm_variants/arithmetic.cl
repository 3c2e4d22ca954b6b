/* GEMM variants B and G: ../gemm.cl with EXTRA_OPS more arithmetic operations in every step of the inner loop.
 *
 * Fixed by the source (Kaszyk, PhD thesis, University of Edinburgh, table 5.10): "add arithmetic instructions" and "add large
 *   number of arithmetic instructions" to the baseline.
 * Chosen here: the count, and the operations. They alternate between two chains, the product times `one` and the sum plus
 *   `zero`; an operation waits for the one before it in its own chain and for none of the other. `one` and `zero` are arguments,
 *   so no compiler can drop an operation, a multiplication never feeds an addition, so none can fuse two; with the values
 *   1 and 0 each is exact, so the result is the baseline's. Counts above 32 are a loop over blocks of 32, which keeps the
 *   instruction cache out of the comparison. */
#ifndef EXTRA_OPS
#error "-DEXTRA_OPS=<operations a step of the inner loop>"
#endif

/* clang-format off */
#define OPS_1 product *= one;
#define OPS_2 OPS_1 sum += zero;
#define OPS_4 OPS_2 OPS_2
#define OPS_8 OPS_4 OPS_4
#define OPS_16 OPS_8 OPS_8
#define OPS_32 OPS_16 OPS_16
/* clang-format on */

__kernel void gemm_arithmetic(__global const float *A, __global const float *B, __global float *C, float alpha,
                              float beta, int NI, int NJ, int NK, float one, float zero) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NJ) {
    C[i * NJ + j] *= beta;
    for (int k = 0; k < NK; ++k) {
      float product = alpha * A[i * NK + k] * B[k * NJ + j];
      float sum = C[i * NJ + j];
#if EXTRA_OPS >= 32
      for (int block = 0; block < EXTRA_OPS / 32; ++block) {
        OPS_32
      }
#endif
#if EXTRA_OPS & 16
      OPS_16
#endif
#if EXTRA_OPS & 8
      OPS_8
#endif
#if EXTRA_OPS & 4
      OPS_4
#endif
#if EXTRA_OPS & 2
      OPS_2
#endif
#if EXTRA_OPS & 1
      OPS_1
#endif
      C[i * NJ + j] = sum + product;
    }
  }
}
