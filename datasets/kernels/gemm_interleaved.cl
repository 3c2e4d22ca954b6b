/* C = A B on matrices that were re-arranged for vectors of four: A by four interleaved rows, B by four transposed columns.
 *
 * Written from the description of a kernel measured on a Mali-T860 (board mali-t860-gemm; ysh329, "OpenCL-101", repository
 * of benchmarks). Shapes: A is M/4 block rows of K vectors of four floats (one of each row), B N/4 block columns of K vectors
 * (one of each column), C M x N by rows. Work-item (x, y) computes the 4 x 4 values of block column x and block row y. K is
 * a multiple of 3: three steps are written out an iteration. */
kernel void gemm_interleaved(const int size_n, const int size_k, global const float *restrict a,
                             global const float *restrict b, global float *restrict c) {
  const int x = get_global_id(0), y = get_global_id(1);
  global const float *from_a = a + y * 4 * size_k, *from_b = b + x * 4 * size_k;
  float4 row0 = 0, row1 = 0, row2 = 0, row3 = 0;
#define STEP(i)                                                                                                        \
  do {                                                                                                                 \
    const float4 column = vload4(i, from_a), row = vload4(i, from_b);                                                  \
    row0 += column.s0 * row;                                                                                           \
    row1 += column.s1 * row;                                                                                           \
    row2 += column.s2 * row;                                                                                           \
    row3 += column.s3 * row;                                                                                           \
  } while (0)
  for (int k = 0; k < size_k; k += 3) {
    STEP(0);
    STEP(1);
    STEP(2);
    from_a += 12;
    from_b += 12;
  }
  global float *to = c + y * 4 * size_n + x * 4;
  vstore4(row0, 0, to);
  vstore4(row1, 0, to + size_n);
  vstore4(row2, 0, to + 2 * size_n);
  vstore4(row3, 0, to + 3 * size_n);
}

/* The product stated plainly, by one work-item. */
kernel void gemm_interleaved_check(const int size_m, const int size_n, const int size_k, global const float *a,
                                   global const float *b, global float *c) {
  for (int m = 0; m < size_m; m++)
    for (int n = 0; n < size_n; n++) {
      float sum = 0;
      for (int k = 0; k < size_k; k++)
        sum += a[(m / 4 * size_k + k) * 4 + m % 4] * b[(n / 4 * size_k + k) * 4 + n % 4];
      c[m * size_n + n] = sum;
    }
}
