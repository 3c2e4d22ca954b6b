/* GEMM variant C: ../gemm.cl with a barrier in every step of the inner loop.
 *
 * Fixed by the source (Kaszyk, PhD thesis, University of Edinburgh, table 5.10): "barriers in inner loop".
 * Chosen here: one barrier a step, after the accumulation. No bounds test, because every work-item of a group has to reach the
 *   barrier: the global size is NJ x NI exactly. */
__kernel void gemm_barrier_inner(__global const float *A, __global const float *B, __global float *C, float alpha,
                                 float beta, int NI, int NJ, int NK) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  C[i * NJ + j] *= beta;
  for (int k = 0; k < NK; ++k) {
    C[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
