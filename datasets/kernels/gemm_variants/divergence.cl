/* GEMM variant K: ../gemm.cl where neighbouring work-items part in every step of the inner loop.
 *
 * Fixed by the source (Kaszyk, PhD thesis, University of Edinburgh, table 5.10): "introduce warp divergence".
 * Chosen here: in each step the work-items of even (j + k) and those of odd (j + k) run different bodies of BODY_OPS operations
 *   each, so a warp of any size above one runs both. The even body multiplies the product by `one` and adds `zero` to the
 *   sum; the odd body subtracts `zero` from the product and multiplies the sum by `one`. The condition changes with k, so it cannot
 *   be moved out of the loop; the bodies share no operation in the same place, so they cannot be merged; `one` and `zero`
 *   are arguments with the values 1 and 0, so all of it is exact and the result is the baseline's. */
#ifndef BODY_OPS
#error "-DBODY_OPS=<operations in each of the two bodies: 8, 16 or 32>"
#endif

/* clang-format off */
#define EVEN_2 product *= one; sum += zero;
#define EVEN_8 EVEN_2 EVEN_2 EVEN_2 EVEN_2
#define ODD_2 product -= zero; sum *= one;
#define ODD_8 ODD_2 ODD_2 ODD_2 ODD_2
#if BODY_OPS == 8
#define EVEN EVEN_8
#define ODD ODD_8
#elif BODY_OPS == 16
#define EVEN EVEN_8 EVEN_8
#define ODD ODD_8 ODD_8
#elif BODY_OPS == 32
#define EVEN EVEN_8 EVEN_8 EVEN_8 EVEN_8
#define ODD ODD_8 ODD_8 ODD_8 ODD_8
#else
#error "BODY_OPS is 8, 16 or 32"
#endif
/* clang-format on */

__kernel void gemm_divergence(__global const float *A, __global const float *B, __global float *C, float alpha,
                              float beta, int NI, int NJ, int NK, float one, float zero) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < NI && j < NJ) {
    C[i * NJ + j] *= beta;
    for (int k = 0; k < NK; ++k) {
      float product = alpha * A[i * NK + k] * B[k * NJ + j];
      float sum = C[i * NJ + j];
      if ((j + k) % 2 == 0) {
        EVEN
      } else {
        ODD
      }
      C[i * NJ + j] = sum + product;
    }
  }
}
