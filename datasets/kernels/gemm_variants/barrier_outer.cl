/* GEMM variants D and J: ../gemm.cl with a barrier outside of the inner loop.
 *
 * Fixed by the source (Kaszyk, PhD thesis, University of Edinburgh, table 5.10): "barriers in outer loop" (D) and "barrier in
 *   outer loop, small workgroups" (J).
 * Chosen here: the outer loops of GEMM are the work-items themselves, so this is one barrier a work-item, between scaling C and
 *   the loop over k. No bounds test, because every work-item of a group has to reach the barrier: the global size is
 *   NJ x NI exactly. */
__kernel void gemm_barrier_outer(__global const float *A, __global const float *B, __global float *C, float alpha,
                                 float beta, int NI, int NJ, int NK) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  C[i * NJ + j] *= beta;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < NK; ++k)
    C[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
}
