/* PolyBench's GEMM: buffers copied from host pointers, build options, a two-dimensional range, two launches. */
#include "program.h"

enum { N = 32 };

static const char source[] = "kernel void gemm(global const TYPE *a, global const TYPE *b, global TYPE *c, TYPE alpha, "
                             "TYPE beta, int n) {\n"
                             "  int i = get_global_id(1), j = get_global_id(0);\n"
                             "  if (i >= n || j >= n) return;\n"
                             "  c[i * n + j] *= beta;\n"
                             "  for (int k = 0; k < n; k++)\n"
                             "    c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];\n"
                             "}\n";

static float a[N * N], b[N * N], c[N * N], wanted[N * N];

/* Small whole numbers: floats compute them exactly, in whatever way they are rounded and contracted. */
static void fill(void) {
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)(i % 7);
    b[i] = (float)(i % 11);
    c[i] = wanted[i] = (float)(i % 5);
  }
}

static void compute(float alpha, float beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      wanted[i * N + j] *= beta;
      for (int k = 0; k < N; k++)
        wanted[i * N + j] += alpha * a[i * N + k] * b[k * N + j];
    }
}

int main(void) {
  const float alpha = 2, beta = 3;
  const int n = N;
  const size_t global[] = {N, N}, local[] = {8, 4};
  struct program p;
  fill();
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "-DTYPE=float");
  cl_mem buffers[] = {program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a),
                      program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b),
                      program_buffer(&p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof c, c)};
  cl_kernel kernel = program_kernel(&p, "gemm");
  for (cl_uint i = 0; i < 3; i++)
    program_set(kernel, i, sizeof(cl_mem), &buffers[i]);
  program_set(kernel, 3, sizeof alpha, &alpha);
  program_set(kernel, 4, sizeof beta, &beta);
  program_set(kernel, 5, sizeof n, &n);
  for (int i = 0; i < 2; i++) {
    must(clEnqueueNDRangeKernel(p.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    compute(alpha, beta);
  }
  program_read(&p, buffers[2], sizeof c, c);
  for (int i = 0; i < 3; i++)
    clReleaseMemObject(buffers[i]);
  clReleaseKernel(kernel);
  program_close(&p);
  return same_floats("c", c, wanted, N * N) ? 0 : 1;
}
