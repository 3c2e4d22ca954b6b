/* PolyBench's SYRK, C = alpha A A^T + beta C, cut in two: each half of C is a sub-buffer that a queue of its own
 * computes; A is a sub-buffer of a buffer that holds something else as well. The halves are mapped at the end, while
 * the queues are joined by events. */
#include "program.h"

enum { N = 32, M = 24, HALF = N * N / 2 * 4, HEADER = 1024 };

static const char source[] =
    "kernel void syrk(global const float *A, global float *C, float alpha, float beta, int first, int n, int m) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  float sum = C[i * n + j] * beta;\n"
    "  for (int k = 0; k < m; k++) sum += alpha * A[(first + i) * m + k] * A[j * m + k];\n"
    "  C[i * n + j] = sum;\n"
    "}\n";

static float A[N * M], C[N * N], wanted[N * N];

static void compute(float alpha, float beta) {
  for (int i = 0; i < N * M; i++)
    A[i] = (float)(i % 9) / 2;
  for (int i = 0; i < N * N; i++)
    C[i] = (float)(i % 4);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      wanted[i * N + j] = C[i * N + j] * beta;
      for (int k = 0; k < M; k++)
        wanted[i * N + j] += alpha * A[i * M + k] * A[j * M + k];
    }
}

static cl_mem part(cl_mem whole, size_t origin, size_t bytes) {
  cl_int status;
  const cl_buffer_region region = {origin, bytes};
  const cl_mem buffer = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  must(status, "clCreateSubBuffer");
  return buffer;
}

static cl_event launch(const struct program *p, cl_command_queue queue, cl_mem a, cl_mem c, int first) {
  const size_t global[] = {N, N / 2}, local[] = {16, 4};
  const float alpha = 1.5f, beta = 0.5f;
  const int n = N, m = M;
  cl_event event;
  cl_kernel kernel = program_kernel(p, "syrk");
  program_set(kernel, 0, sizeof a, &a);
  program_set(kernel, 1, sizeof c, &c);
  program_set(kernel, 2, sizeof alpha, &alpha);
  program_set(kernel, 3, sizeof beta, &beta);
  program_set(kernel, 4, sizeof first, &first);
  program_set(kernel, 5, sizeof n, &n);
  program_set(kernel, 6, sizeof m, &m);
  must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event), "syrk");
  must(clFlush(queue), "clFlush");
  clReleaseKernel(kernel);
  return event;
}

int main(void) {
  struct program p;
  cl_int status;
  compute(1.5f, 0.5f);
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_command_queue queues[] = {p.queue, clCreateCommandQueue(p.context, p.device, 0, &status)};
  must(status, "clCreateCommandQueue");
  cl_mem all = program_buffer(&p, 0, HEADER + sizeof A, NULL), a = part(all, HEADER, sizeof A);
  cl_mem c = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof C, C);
  cl_mem halves[] = {part(c, 0, HALF), part(c, HALF, HALF)};
  must(clEnqueueWriteBuffer(p.queue, a, CL_TRUE, 0, sizeof A, A, 0, NULL, NULL), "clEnqueueWriteBuffer");
  const cl_event ran[] = {launch(&p, queues[0], a, halves[0], 0), launch(&p, queues[1], a, halves[1], N / 2)};
  int same = 1;
  for (int h = 0; h < 2; h++) {
    float *found = clEnqueueMapBuffer(queues[1 - h], halves[h], CL_TRUE, CL_MAP_READ, 0, HALF, 2, ran, NULL, &status);
    must(status, "clEnqueueMapBuffer");
    same &= same_floats("C", found, wanted + h * N * N / 2, N * N / 2);
    must(clEnqueueUnmapMemObject(queues[1 - h], halves[h], found, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  }
  must(clFinish(queues[0]) | clFinish(queues[1]), "clFinish");
  return same ? 0 : 1;
}
