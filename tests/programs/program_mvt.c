/* PolyBench's MVT: x1 += A y1 and x2 += A^T y2, every buffer in memory of the host (CL_MEM_USE_HOST_PTR), the results
 * read where the host keeps them, through maps that overlap in time. */
#include "program.h"

enum { N = 72 };

static const char source[] =
    "kernel void times(global const float *A, global float *x, global const float *y, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) for (int j = 0; j < n; j++) x[i] += A[i * n + j] * y[j];\n"
    "}\n"
    "kernel void transposed(global const float *A, global float *x, global const float *y, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) for (int j = 0; j < n; j++) x[i] += A[j * n + i] * y[j];\n"
    "}\n";

static float A[N * N] __attribute__((aligned(4096))), x[2][N], y[2][N], wanted[2][N];

static void compute(void) {
  for (int i = 0; i < N * N; i++)
    A[i] = (float)(i % 11) / 4;
  for (int i = 0; i < N; i++) {
    wanted[0][i] = x[0][i] = (float)(i % 5);
    wanted[1][i] = x[1][i] = (float)(i % 3) - 1;
    y[0][i] = 1 + (float)(i % 4);
    y[1][i] = 2 - (float)(i % 6);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      wanted[0][i] += A[i * N + j] * y[0][j];
      wanted[1][i] += A[j * N + i] * y[1][j];
    }
}

int main(void) {
  const char *const names[] = {"times", "transposed"};
  const int n = N;
  struct program p;
  cl_int status;
  cl_mem out[2];
  float *found[2];
  compute();
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem matrix = program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof A, A);
  for (int k = 0; k < 2; k++) {
    cl_kernel kernel = program_kernel(&p, names[k]);
    cl_mem in = program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof y[k], y[k]);
    out[k] = program_buffer(&p, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof x[k], x[k]);
    program_set(kernel, 0, sizeof matrix, &matrix);
    program_set(kernel, 1, sizeof out[k], &out[k]);
    program_set(kernel, 2, sizeof in, &in);
    program_set(kernel, 3, sizeof n, &n);
    program_launch(&p, kernel, 96, 32);
    clReleaseMemObject(in);
    clReleaseKernel(kernel);
  }
  for (int k = 0; k < 2; k++) {
    found[k] = clEnqueueMapBuffer(p.queue, out[k], CL_TRUE, CL_MAP_READ, 0, sizeof x[k], 0, NULL, NULL, &status);
    must(status, "clEnqueueMapBuffer");
  }
  int same = 1;
  for (int k = 0; k < 2; k++) {
    same &= found[k] == x[k] && same_floats(names[k], found[k], wanted[k], N);
    must(clEnqueueUnmapMemObject(p.queue, out[k], found[k], 0, NULL, NULL), "clEnqueueUnmapMemObject");
    clReleaseMemObject(out[k]);
  }
  clReleaseMemObject(matrix);
  program_close(&p);
  return same ? 0 : 1;
}
