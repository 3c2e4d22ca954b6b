/* PolyBench's 2D finite differences in time: three kernels a step on one buffer cut into three sub-buffers, the source
 * written by the host in every step without waiting, results copied out as a rectangle. */
#include "program.h"

enum { N = 32, STEPS = 3, BYTES = N * N * 4 };

static const char source[] =
    "kernel void electric_y(global const float *source, global float *ey, global const float *hz, int t, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  ey[i * n + j] = i == 0 ? source[t] : ey[i * n + j] - 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);\n"
    "}\n"
    "kernel void electric_x(global float *ex, global const float *hz, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  if (j > 0) ex[i * n + j] -= 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);\n"
    "}\n"
    "kernel void magnetic(global const float *ex, global const float *ey, global float *hz, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  if (i < n - 1 && j < n - 1)\n"
    "    hz[i * n + j] -= 0.7f * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);\n"
    "}\n";

static float ex[N * N], ey[N * N], hz[N * N], host[3 * N * N], sources[STEPS], found[N * N];

static void compute(void) {
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        ey[i * N + j] = i == 0 ? sources[t] : ey[i * N + j] - 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++)
        ex[i * N + j] -= 0.5f * (hz[i * N + j] - hz[i * N + j - 1]);
    for (int i = 0; i < N - 1; i++)
      for (int j = 0; j < N - 1; j++)
        hz[i * N + j] -= 0.7f * (ex[i * N + j + 1] - ex[i * N + j] + ey[(i + 1) * N + j] - ey[i * N + j]);
  }
}

static cl_mem part(cl_mem whole, size_t index) {
  cl_int status;
  const cl_buffer_region region = {index * BYTES, BYTES};
  const cl_mem buffer = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  must(status, "clCreateSubBuffer");
  return buffer;
}

static void set_buffers(cl_kernel kernel, cl_mem a, cl_mem b, cl_mem c) {
  const cl_mem buffers[] = {a, b, c};
  for (cl_uint i = 0; i < 3 && buffers[i]; i++)
    program_set(kernel, i, sizeof(cl_mem), &buffers[i]);
}

int main(void) {
  struct program p;
  const int n = N;
  const size_t global[] = {N, N}, local[] = {8, 4};
  for (int i = 0; i < 3 * N * N; i++)
    host[i] = (float)(i % 19) / 8;
  memcpy(ex, host, BYTES);
  memcpy(ey, host + N * N, BYTES);
  memcpy(hz, host + 2 * N * N, BYTES);
  for (int t = 0; t < STEPS; t++)
    sources[t] = (float)(t + 1);
  compute();
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem whole = program_buffer(&p, CL_MEM_USE_HOST_PTR, sizeof host, host);
  cl_mem parts[] = {part(whole, 0), part(whole, 1), part(whole, 2)};
  cl_mem inputs = program_buffer(&p, CL_MEM_READ_ONLY, sizeof sources, NULL), out = program_buffer(&p, 0, BYTES, NULL);
  cl_kernel y = program_kernel(&p, "electric_y"), x = program_kernel(&p, "electric_x"),
            h = program_kernel(&p, "magnetic");
  set_buffers(y, inputs, parts[1], parts[2]);
  program_set(y, 4, sizeof n, &n);
  set_buffers(x, parts[0], parts[2], NULL);
  program_set(x, 2, sizeof n, &n);
  set_buffers(h, parts[0], parts[1], parts[2]);
  program_set(h, 3, sizeof n, &n);
  for (int t = 0; t < STEPS; t++) {
    must(clEnqueueWriteBuffer(p.queue, inputs, CL_FALSE, (size_t)t * 4, 4, &sources[t], 0, NULL, NULL), "write");
    program_set(y, 3, sizeof t, &t);
    must(clEnqueueNDRangeKernel(p.queue, y, 2, NULL, global, local, 0, NULL, NULL), "electric_y");
    must(clEnqueueNDRangeKernel(p.queue, x, 2, NULL, global, local, 0, NULL, NULL), "electric_x");
    must(clEnqueueNDRangeKernel(p.queue, h, 2, NULL, global, local, 0, NULL, NULL), "magnetic");
  }
  const size_t from[] = {0, 2 * N, 0}, to[] = {0, 0, 0}, region[] = {N * 4, N, 1};
  must(clEnqueueCopyBufferRect(p.queue, whole, out, from, to, region, N * 4, 0, N * 4, 0, 0, NULL, NULL),
       "clEnqueueCopyBufferRect");
  program_read(&p, out, BYTES, found);
  return same_floats("hz", found, hz, N * N) ? 0 : 1;
}
