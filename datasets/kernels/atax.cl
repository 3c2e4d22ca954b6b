/* y = A^T (A x) in two steps: a row of A per work-item, then a column.
 * Defined by: atax of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012), sums in
 *   global memory.
 * Shapes: A is NX x NY, row-major; x and y have NY elements, tmp has NX. tmp and y start at zero. */
__kernel void atax_kernel1(__global const float *A, __global const float *x, __global float *tmp, int NX, int NY) {
  const int i = get_global_id(0);

  if (i < NX)
    for (int j = 0; j < NY; ++j)
      tmp[i] += A[i * NY + j] * x[j];
}

__kernel void atax_kernel2(__global const float *A, __global const float *tmp, __global float *y, int NX, int NY) {
  const int j = get_global_id(0);

  if (j < NY)
    for (int i = 0; i < NX; ++i)
      y[j] += A[i * NY + j] * tmp[i];
}

__kernel void atax_check1(__global const float *A, __global const float *x, __global float *expected, int NX, int NY) {
  for (int i = 0; i < NX; ++i) {
    double sum = 0.0;
    for (int j = 0; j < NY; ++j)
      sum += (double)A[i * NY + j] * x[j];
    expected[i] = (float)sum;
  }
}

__kernel void atax_check2(__global const float *A, __global const float *tmp, __global float *expected, int NX,
                          int NY) {
  for (int j = 0; j < NY; ++j) {
    double sum = 0.0;
    for (int i = 0; i < NX; ++i)
      sum += (double)A[i * NY + j] * tmp[i];
    expected[j] = (float)sum;
  }
}
