/* PolyBench's 2D stencil over and over: between launches the program fills, copies, and writes buffers, also rectangles
 * of them, and swaps its arguments. */
#include "program.h"

enum { N = 64, STEPS = 4 };

static const char source[] =
    "kernel void stencil(global const float *in, global float *out, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;\n"
    "  out[y * n + x] = in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x];\n"
    "}\n";

static float now[N * N], next[N * N], found[N * N];

static void compute(void) {
  for (int step = 0; step < STEPS; step++) {
    now[N + 5] = now[N + 6] = 7;
    for (int y = 1; y < N - 1; y++)
      for (int x = 1; x < N - 1; x++)
        next[y * N + x] = now[y * N + x - 1] + now[y * N + x + 1] + now[(y - 1) * N + x] + now[(y + 1) * N + x];
    memcpy(now, next, sizeof now);
    memset(next, 0, sizeof next);
  }
}

int main(void) {
  const float one = 1, zero = 0, seven[] = {7, 7};
  const int n = N;
  const size_t global[] = {N, N}, local[] = {16, 4};
  const size_t at[] = {5 * sizeof one, 1, 0}, here[] = {0, 0, 0}, region[] = {2 * sizeof one, 1, 1};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "-cl-std=CL1.2");
  cl_mem in = program_buffer(&p, 0, sizeof now, NULL), out = program_buffer(&p, 0, sizeof now, NULL);
  must(clEnqueueFillBuffer(p.queue, in, &one, sizeof one, 0, sizeof now, 0, NULL, NULL), "clEnqueueFillBuffer");
  for (int i = 0; i < N * N; i++)
    now[i] = 1;
  cl_kernel kernel = program_kernel(&p, "stencil");
  for (int step = 0; step < STEPS; step++) {
    must(clEnqueueFillBuffer(p.queue, out, &zero, sizeof zero, 0, sizeof now, 0, NULL, NULL), "clEnqueueFillBuffer");
    must(
        clEnqueueWriteBufferRect(p.queue, in, CL_TRUE, at, here, region, N * sizeof one, 0, 0, 0, seven, 0, NULL, NULL),
        "clEnqueueWriteBufferRect");
    program_set(kernel, 0, sizeof in, &in);
    program_set(kernel, 1, sizeof out, &out);
    program_set(kernel, 2, sizeof n, &n);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    must(clEnqueueCopyBuffer(p.queue, out, in, 0, 0, sizeof now, 0, NULL, NULL), "clEnqueueCopyBuffer");
  }
  program_read(&p, in, sizeof found, found);
  compute();
  return same_floats("grid", found, now, (size_t)N * N) ? 0 : 1;
}
