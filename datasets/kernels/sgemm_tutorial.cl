/* The naive matrix product that the tutorial starts from: column-major, the sum in a register.
 * Defined by: Nugteren, "Tutorial: OpenCL SGEMM tuning for Kepler" (2014), kernel 1: dimension 0 walks the rows of C.
 * Shapes: A is M x K, B is K x N, C is M x N, all column-major. */
__kernel void GEMM1(int M, int N, int K, __global const float *A, __global const float *B, __global float *C) {
  const int row = get_global_id(0);
  const int column = get_global_id(1);

  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[k * M + row] * B[column * K + k];
  C[column * M + row] = sum;
}

__kernel void GEMM1_check(int M, int N, int K, __global const float *A, __global const float *B,
                          __global float *expected) {
  for (int column = 0; column < N; ++column)
    for (int row = 0; row < M; ++row) {
      double sum = 0.0;
      for (int k = 0; k < K; ++k)
        sum += (double)A[k * M + row] * B[column * K + k];
      expected[column * M + row] = (float)sum;
    }
}
