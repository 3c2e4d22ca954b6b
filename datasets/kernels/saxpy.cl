/* y = a x + y over the first n elements. Defined by: SAXPY of the BLAS, level 1. */
__kernel void saxpy(__global const float *x, __global float *y, float a, int n) {
  const int i = get_global_id(0);

  if (i < n)
    y[i] = a * x[i] + y[i];
}

/* `expected` starts with the contents y starts with. */
__kernel void saxpy_check(__global const float *x, __global float *expected, float a, int n) {
  for (int i = 0; i < n; ++i)
    expected[i] = a * x[i] + expected[i];
}
