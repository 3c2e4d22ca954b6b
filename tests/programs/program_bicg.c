/* PolyBench's BiCG: two independent products on two queues, held together by events: both start behind one user-visible
 * write, the reads of both wait for both kernels, and the times of the events are in order (profiling). */
#include "program.h"

enum { N = 80, M = 48 };

static const char source[] =
    "kernel void left(global const float *A, global const float *r, global float *s, int n, int m) {\n"
    "  int j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; i++) sum += r[i] * A[i * m + j];\n"
    "  s[j] = sum;\n"
    "}\n"
    "kernel void right(global const float *A, global const float *p, global float *q, int n, int m) {\n"
    "  int i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < m; j++) sum += A[i * m + j] * p[j];\n"
    "  q[i] = sum;\n"
    "}\n";

static float A[N * M], r[N], p[M], s[M], q[N], wanted_s[M], wanted_q[N];

static void compute(void) {
  for (int i = 0; i < N * M; i++)
    A[i] = (float)(i % 7) - 2;
  for (int i = 0; i < N; i++)
    r[i] = (float)(i % 3) + 0.5f;
  for (int j = 0; j < M; j++)
    p[j] = (float)(j % 4) - 1.25f;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      wanted_s[j] += r[i] * A[i * M + j];
      wanted_q[i] += A[i * M + j] * p[j];
    }
}

static cl_kernel prepare(const struct program *program, const char *name, cl_mem a, cl_mem in, cl_mem out) {
  const int n = N, m = M;
  cl_kernel kernel = program_kernel(program, name);
  program_set(kernel, 0, sizeof a, &a);
  program_set(kernel, 1, sizeof in, &in);
  program_set(kernel, 2, sizeof out, &out);
  program_set(kernel, 3, sizeof n, &n);
  program_set(kernel, 4, sizeof m, &m);
  return kernel;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
  cl_ulong ns = 0;
  must(clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL), "clGetEventProfilingInfo");
  return ns;
}

int main(void) {
  struct program program;
  cl_int status;
  cl_event written, ran[2], read[2];
  const size_t n = N, m = M, local = 16;
  compute();
  program_open(&program, CL_DEVICE_TYPE_ALL, CL_QUEUE_PROFILING_ENABLE, source, "");
  cl_command_queue other = clCreateCommandQueue(program.context, program.device, CL_QUEUE_PROFILING_ENABLE, &status);
  must(status, "clCreateCommandQueue");
  cl_mem a = program_buffer(&program, CL_MEM_READ_ONLY, sizeof A, NULL);
  cl_mem in[] = {program_buffer(&program, CL_MEM_COPY_HOST_PTR, sizeof r, r),
                 program_buffer(&program, CL_MEM_COPY_HOST_PTR, sizeof p, p)};
  cl_mem out[] = {program_buffer(&program, CL_MEM_WRITE_ONLY, sizeof s, NULL),
                  program_buffer(&program, CL_MEM_WRITE_ONLY, sizeof q, NULL)};
  cl_kernel left = prepare(&program, "left", a, in[0], out[0]), right = prepare(&program, "right", a, in[1], out[1]);
  must(clEnqueueWriteBuffer(program.queue, a, CL_FALSE, 0, sizeof A, A, 0, NULL, &written), "clEnqueueWriteBuffer");
  must(clEnqueueNDRangeKernel(program.queue, left, 1, NULL, &m, &local, 1, &written, &ran[0]), "left");
  must(clEnqueueNDRangeKernel(other, right, 1, NULL, &n, &local, 1, &written, &ran[1]), "right");
  must(clEnqueueReadBuffer(other, out[0], CL_FALSE, 0, sizeof s, s, 2, ran, &read[0]), "clEnqueueReadBuffer");
  must(clEnqueueReadBuffer(program.queue, out[1], CL_FALSE, 0, sizeof q, q, 2, ran, &read[1]), "clEnqueueReadBuffer");
  must(clFlush(other), "clFlush");
  must(clWaitForEvents(2, read), "clWaitForEvents");
  if (time_of(ran[0], CL_PROFILING_COMMAND_START) < time_of(written, CL_PROFILING_COMMAND_END) ||
      time_of(read[0], CL_PROFILING_COMMAND_START) < time_of(ran[1], CL_PROFILING_COMMAND_END)) {
    fprintf(stderr, "the events are out of order\n");
    return 1;
  }
  return same_floats("s", s, wanted_s, M) && same_floats("q", q, wanted_q, N) ? 0 : 1;
}
