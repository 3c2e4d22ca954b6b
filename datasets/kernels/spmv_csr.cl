/* Sparse matrix times vector in compressed rows, one work-item a row: rows of different lengths, neighbours far apart
 * in memory.
 * Defined by: the scalar CSR kernel of Bell, Garland, "Implementing sparse matrix-vector multiplication on
 *   throughput-oriented processors" (SC 2009).
 * Shapes: row r has the entries offsets[r] to offsets[r + 1] - 1 of columns and values; offsets has rows + 1
 *   elements. */

/* Sets up: row r gets length + s(r + 1) - s(r) entries with s random in [0, length), so between 1 and 2 length - 1. */
__kernel void csr_make_offsets(__global int *offsets, int rows, int length) {
  const int r = get_global_id(0);

  if (r <= rows) {
    uint random = (uint)r * 2654435761u;
    random = (random ^ random >> 15) * 2246822519u;
    offsets[r] = r * length + (int)((random ^ random >> 13) % (uint)length);
  }
}

__kernel void spmv_csr(__global const int *offsets, __global const int *columns, __global const float *values,
                       __global const float *x, __global float *y, int rows) {
  const int row = get_global_id(0);

  if (row < rows) {
    float sum = 0.0f;
    for (int e = offsets[row]; e < offsets[row + 1]; ++e)
      sum += values[e] * x[columns[e]];
    y[row] = sum;
  }
}

__kernel void spmv_csr_check(__global const int *offsets, __global const int *columns, __global const float *values,
                             __global const float *x, __global float *expected, int rows) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (int e = offsets[row]; e < offsets[row + 1]; ++e)
      sum += (double)values[e] * x[columns[e]];
    expected[row] = (float)sum;
  }
}
