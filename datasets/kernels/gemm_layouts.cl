/* What prepares the matrices of gemm_interleaved.cl: B transposed by four columns, A interleaved by four rows; and a copy.
 *
 * Written from the description of kernels measured on a Mali-T860 (board mali-t860-layouts; ysh329, "OpenCL-101",
 * repository of benchmarks). Shapes: A is M x K, B K x N, both by rows; M, N and K are multiples of 4. */

/* Work-item (x, y) moves the four columns of block column x in row y of B. */
kernel void transpose_b(const int size_n, const int size_k, global const float *restrict b, global float *restrict to) {
  const int x = get_global_id(0), y = get_global_id(1);
  vstore4(vload4(0, b + y * size_n + 4 * x), 0, to + (x * size_k + y) * 4);
}

/* Work-item (x, y) moves columns 4 x to 4 x + 3 of the four rows of block row y of A. */
kernel void interleave_a(const int size_k, global const float *restrict a, global float *restrict to) {
  const int x = get_global_id(0), y = get_global_id(1);
  global const float *from = a + 4 * y * size_k + 4 * x;
  const float4 r0 = vload4(0, from), r1 = vload4(0, from + size_k);
  const float4 r2 = vload4(0, from + 2 * size_k), r3 = vload4(0, from + 3 * size_k);
  global float *block = to + (y * size_k + 4 * x) * 4;
  vstore4((float4)(r0.s0, r1.s0, r2.s0, r3.s0), 0, block);
  vstore4((float4)(r0.s1, r1.s1, r2.s1, r3.s1), 1, block);
  vstore4((float4)(r0.s2, r1.s2, r2.s2, r3.s2), 2, block);
  vstore4((float4)(r0.s3, r1.s3, r2.s3, r3.s3), 3, block);
}

/* Work-item (x, y) copies four floats of row y. */
kernel void copy_rows(const int size_k, global const float *restrict a, global float *restrict to) {
  const int x = get_global_id(0), y = get_global_id(1);
  vstore4(vload4(0, a + y * size_k + 4 * x), 0, to + y * size_k + 4 * x);
}

kernel void gemm_layouts_check(const int size_m, const int size_n, const int size_k, global const float *a,
                               global const float *b, global float *a_expected, global float *b_expected) {
  for (int i = 0; i < size_m; i++)
    for (int k = 0; k < size_k; k++)
      a_expected[(i / 4 * size_k + k) * 4 + i % 4] = a[i * size_k + k];
  for (int k = 0; k < size_k; k++)
    for (int j = 0; j < size_n; j++)
      b_expected[(j / 4 * size_k + k) * 4 + j % 4] = b[k * size_n + j];
}
