/* Sparse matrix times vector with rows of equal length (ELLPACK), one work-item a row: reads of x at random places.
 * Defined by: the ELL kernel of Bell, Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
 *   processors" (SC 2009); entries are stored column by column, so that neighbours read neighbours.
 * Shapes: columns and values are width x rows; x has as many elements as the largest column number plus one. */
__kernel void spmv_ell(__global const int *columns, __global const float *values, __global const float *x,
                       __global float *y, int rows, int width) {
  const int row = get_global_id(0);

  if (row < rows) {
    float sum = 0.0f;
    for (int k = 0; k < width; ++k)
      sum += values[k * rows + row] * x[columns[k * rows + row]];
    y[row] = sum;
  }
}

__kernel void spmv_ell_check(__global const int *columns, __global const float *values, __global const float *x,
                             __global float *expected, int rows, int width) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (int k = 0; k < width; ++k)
      sum += (double)values[k * rows + row] * x[columns[k * rows + row]];
    expected[row] = (float)sum;
  }
}
