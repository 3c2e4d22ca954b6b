/* Vector products and a matrix: A += u1 v1^T + u2 v2^T, x += beta A^T y + z, w += alpha A x.
 * Defined by: gemver of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012), sums in
 *   global memory.
 * Shapes: A is N x N, row-major; the vectors have N elements. */
__kernel void gemver_kernel1(__global float *A, __global const float *v1, __global const float *v2,
                             __global const float *u1, __global const float *u2, int N) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < N && j < N)
    A[i * N + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__kernel void gemver_kernel2(__global const float *A, __global float *x, __global const float *y,
                             __global const float *z, float beta, int N) {
  const int i = get_global_id(0);

  if (i < N) {
    for (int j = 0; j < N; ++j)
      x[i] += beta * A[j * N + i] * y[j];
    x[i] += z[i];
  }
}

__kernel void gemver_kernel3(__global const float *A, __global const float *x, __global float *w, float alpha, int N) {
  const int i = get_global_id(0);

  if (i < N)
    for (int j = 0; j < N; ++j)
      w[i] += alpha * A[i * N + j] * x[j];
}

/* In each check expected starts with what the result starts with. */
__kernel void gemver_check1(__global float *expected, __global const float *v1, __global const float *v2,
                            __global const float *u1, __global const float *u2, int N) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      expected[i * N + j] = (float)(expected[i * N + j] + (double)u1[i] * v1[j] + (double)u2[i] * v2[j]);
}

__kernel void gemver_check2(__global const float *A, __global float *expected, __global const float *y,
                            __global const float *z, float beta, int N) {
  for (int i = 0; i < N; ++i) {
    double sum = expected[i];
    for (int j = 0; j < N; ++j)
      sum += (double)beta * A[j * N + i] * y[j];
    expected[i] = (float)(sum + z[i]);
  }
}

__kernel void gemver_check3(__global const float *A, __global const float *x, __global float *expected, float alpha,
                            int N) {
  for (int i = 0; i < N; ++i) {
    double sum = expected[i];
    for (int j = 0; j < N; ++j)
      sum += (double)alpha * A[i * N + j] * x[j];
    expected[i] = (float)sum;
  }
}
