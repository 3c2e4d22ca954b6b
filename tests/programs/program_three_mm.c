/* PolyBench's 3MM: G = (A B) (C D) on a queue without order; the first two products may run at the same time, the third
 * waits for their events, and a marker for all. */
#include "program.h"

enum { N = 32, BYTES = N * N * 4 };

static const char source[] = "__kernel __attribute__((reqd_work_group_size(8, 4, 1)))\n"
                             "void product(__global const float *restrict a, __global const float *restrict b, "
                             "__global float *restrict c, int n) {\n"
                             "  int j = get_global_id(0), i = get_global_id(1);\n"
                             "  float sum = 0;\n"
                             "  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];\n"
                             "  c[i * n + j] = sum;\n"
                             "}\n";

static float in[4][N * N], left[N * N], right[N * N], wanted[N * N], found[N * N];

static void multiply(const float *a, const float *b, float *c) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

static cl_event launch(const struct program *p, cl_kernel kernel, cl_mem a, cl_mem b, cl_mem c, cl_uint count,
                       const cl_event *before) {
  const size_t global[] = {N, N};
  const cl_mem buffers[] = {a, b, c};
  const int n = N;
  cl_event event;
  for (cl_uint i = 0; i < 3; i++)
    program_set(kernel, i, sizeof(cl_mem), &buffers[i]);
  program_set(kernel, 3, sizeof n, &n);
  must(clEnqueueNDRangeKernel(p->queue, kernel, 2, NULL, global, NULL, count, before, &event), "product");
  return event;
}

int main(void) {
  struct program p;
  cl_mem buffers[7];
  cl_event written[4], ran[3], marked;
  program_open(&p, CL_DEVICE_TYPE_ALL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, source, "-cl-std=CL1.2");
  for (int b = 0; b < 7; b++)
    buffers[b] = program_buffer(&p, 0, BYTES, NULL);
  for (int b = 0; b < 4; b++) {
    for (int i = 0; i < N * N; i++)
      in[b][i] = (float)((i * (b + 2)) % 9) - 4;
    must(clEnqueueWriteBuffer(p.queue, buffers[b], CL_FALSE, 0, BYTES, in[b], 0, NULL, &written[b]), "write");
  }
  multiply(in[0], in[1], left);
  multiply(in[2], in[3], right);
  multiply(left, right, wanted);
  cl_kernel kernel = program_kernel(&p, "product");
  ran[0] = launch(&p, kernel, buffers[0], buffers[1], buffers[4], 2, &written[0]);
  ran[1] = launch(&p, kernel, buffers[2], buffers[3], buffers[5], 2, &written[2]);
  ran[2] = launch(&p, kernel, buffers[4], buffers[5], buffers[6], 2, ran);
  must(clEnqueueMarkerWithWaitList(p.queue, 3, ran, &marked), "clEnqueueMarkerWithWaitList");
  must(clEnqueueReadBuffer(p.queue, buffers[6], CL_TRUE, 0, BYTES, found, 1, &marked, NULL), "clEnqueueReadBuffer");
  return same_floats("G", found, wanted, N * N) ? 0 : 1;
}
