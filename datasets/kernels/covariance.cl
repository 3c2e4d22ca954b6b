/* Covariance of the columns of a table: their means, then the centred table.
 * Defined by: covariance of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012).
 * Shapes: data is N x M (N observations of M variables), row-major; mean has M elements. */
__kernel void mean_kernel(__global float *mean, __global const float *data, float float_n, int M, int N) {
  const int j = get_global_id(0);

  if (j < M) {
    mean[j] = 0.0f;
    for (int i = 0; i < N; ++i)
      mean[j] += data[i * M + j];
    mean[j] /= float_n;
  }
}

__kernel void reduce_kernel(__global const float *mean, __global float *data, int M, int N) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < N && j < M)
    data[i * M + j] -= mean[j];
}

__kernel void mean_check(__global float *expected, __global const float *data, int M, int N) {
  for (int j = 0; j < M; ++j) {
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
      sum += data[i * M + j];
    expected[j] = (float)(sum / N);
  }
}

/* expected starts with what data starts with. */
__kernel void reduce_check(__global const float *mean, __global float *expected, int M, int N) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      expected[i * M + j] = expected[i * M + j] - mean[j];
}
