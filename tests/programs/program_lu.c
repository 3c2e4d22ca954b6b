/* PolyBench's LU decomposition: in every step the ranges of two kernels shrink, and an offset moves them along the
 * diagonal. */
#include "program.h"

enum { N = 24 };

static const char source[] = "kernel void row(global float *A, int k, int n) {\n"
                             "  int j = get_global_id(0);\n"
                             "  A[k * n + j] = A[k * n + j] / A[k * n + k];\n"
                             "}\n"
                             "kernel void rest(global float *A, int k, int n) {\n"
                             "  int j = get_global_id(0), i = get_global_id(1);\n"
                             "  A[i * n + j] -= A[i * n + k] * A[k * n + j];\n"
                             "}\n";

static float A[N * N], wanted[N * N];

static void compute(void) {
  for (int i = 0; i < N * N; i++)
    wanted[i] = A[i] = i % (N + 1) == 0 ? 40.f : (float)(i % 13);
  for (int k = 0; k < N - 1; k++)
    for (int j = k + 1; j < N; j++) {
      wanted[k * N + j] /= wanted[k * N + k];
      for (int i = k + 1; i < N; i++)
        wanted[i * N + j] -= wanted[i * N + k] * wanted[k * N + j];
    }
}

static void set(cl_kernel kernel, cl_mem buffer, int k) {
  const int n = N;
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof k, &k);
  program_set(kernel, 2, sizeof n, &n);
}

int main(void) {
  struct program p;
  compute();
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof A, A);
  cl_kernel row = program_kernel(&p, "row"), rest = program_kernel(&p, "rest");
  for (int k = 0; k < N - 1; k++) {
    const size_t offset[] = {(size_t)k + 1, (size_t)k + 1}, global[] = {(size_t)(N - 1 - k), (size_t)(N - 1 - k)};
    set(row, buffer, k);
    set(rest, buffer, k);
    must(clEnqueueNDRangeKernel(p.queue, row, 1, offset, global, NULL, 0, NULL, NULL), "row");
    must(clEnqueueNDRangeKernel(p.queue, rest, 2, offset, global, NULL, 0, NULL, NULL), "rest");
  }
  program_read(&p, buffer, sizeof A, A);
  return same_floats("A", A, wanted, N * N) ? 0 : 1;
}
