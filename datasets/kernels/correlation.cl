/* Correlation of the columns of a table: their means, their standard deviations, then the centred and scaled table.
 * Defined by: correlation of PolyBench (Pouchet) in the shape of PolyBench/ACC (Grauer-Gray et al., InPar 2012).
 * Shapes: data is N x M (N observations of M variables), row-major; mean and std have M elements. A deviation of at
 *   most eps counts as 1, so that constant columns do not divide by zero. */
__kernel void mean_kernel(__global float *mean, __global const float *data, float float_n, int M, int N) {
  const int j = get_global_id(0);

  if (j < M) {
    mean[j] = 0.0f;
    for (int i = 0; i < N; ++i)
      mean[j] += data[i * M + j];
    mean[j] /= float_n;
  }
}

__kernel void std_kernel(__global const float *mean, __global float *std, __global const float *data, float float_n,
                         float eps, int M, int N) {
  const int j = get_global_id(0);

  if (j < M) {
    std[j] = 0.0f;
    for (int i = 0; i < N; ++i)
      std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
    std[j] /= float_n;
    std[j] = sqrt(std[j]);
    if (std[j] <= eps)
      std[j] = 1.0f;
  }
}

__kernel void reduce_kernel(__global const float *mean, __global const float *std, __global float *data, float float_n,
                            int M, int N) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);

  if (i < N && j < M) {
    data[i * M + j] -= mean[j];
    data[i * M + j] /= sqrt(float_n) * std[j];
  }
}

__kernel void mean_check(__global float *expected, __global const float *data, int M, int N) {
  for (int j = 0; j < M; ++j) {
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
      sum += data[i * M + j];
    expected[j] = (float)(sum / N);
  }
}

__kernel void std_check(__global const float *mean, __global float *expected, __global const float *data, float eps,
                        int M, int N) {
  for (int j = 0; j < M; ++j) {
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
      sum += ((double)data[i * M + j] - mean[j]) * ((double)data[i * M + j] - mean[j]);
    const double deviation = sqrt(sum / N);
    expected[j] = deviation <= eps ? 1.0f : (float)deviation;
  }
}

/* expected starts with what data starts with. */
__kernel void reduce_check(__global const float *mean, __global const float *std, __global float *expected, int M,
                           int N) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      expected[i * M + j] = (float)(((double)expected[i * M + j] - mean[j]) / (sqrt((double)N) * std[j]));
}
