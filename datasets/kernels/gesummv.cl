/* y = alpha A x + beta B x, one work-item a row, both sums kept in global memory.
 * Defined by: gesummv of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012).
 * Shapes: A and B are N x N, row-major; x, y and tmp have N elements; y and tmp start at zero. */
__kernel void gesummv(__global const float *A, __global const float *B, __global const float *x, __global float *y,
                      __global float *tmp, float alpha, float beta, int N) {
  const int i = get_global_id(0);

  if (i < N) {
    for (int j = 0; j < N; ++j) {
      tmp[i] += A[i * N + j] * x[j];
      y[i] += B[i * N + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

__kernel void gesummv_check(__global const float *A, __global const float *B, __global const float *x,
                            __global float *expected, float alpha, float beta, int N) {
  for (int i = 0; i < N; ++i) {
    double a = 0.0, b = 0.0;
    for (int j = 0; j < N; ++j) {
      a += (double)A[i * N + j] * x[j];
      b += (double)B[i * N + j] * x[j];
    }
    expected[i] = (float)(alpha * a + beta * b);
  }
}
