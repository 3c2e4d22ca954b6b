/* PolyBench's ATAX, y = A^T (A x): buffers that are filled and read through clEnqueueMapBuffer, one of them on host
 * memory (CL_MEM_USE_HOST_PTR), one allocated by OpenCL. Two kernels, the second reads what the first wrote. */
#include "program.h"

enum { ROWS = 48, COLUMNS = 64 };

static const char source[] =
    "kernel void ax(global const float *a, global const float *x, global float *t, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];\n"
    "  t[i] = sum;\n"
    "}\n"
    "kernel void aty(global const float *a, global const float *t, global float *y, int m, int n) {\n"
    "  int j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < m; i++) sum += a[i * n + j] * t[i];\n"
    "  y[j] = sum;\n"
    "}\n";

static float a[ROWS * COLUMNS] __attribute__((aligned(4096)));

static float *map(const struct program *p, cl_mem buffer, cl_map_flags flags, size_t bytes) {
  cl_int status;
  float *memory = clEnqueueMapBuffer(p->queue, buffer, CL_TRUE, flags, 0, bytes, 0, NULL, NULL, &status);
  must(status, "clEnqueueMapBuffer");
  return memory;
}

static void unmap(const struct program *p, cl_mem buffer, float *memory) {
  must(clEnqueueUnmapMemObject(p->queue, buffer, memory, 0, NULL, NULL), "clEnqueueUnmapMemObject");
}

static void fill(const struct program *p, cl_mem matrix, cl_mem vector) {
  float *m = map(p, matrix, CL_MAP_WRITE, sizeof a), *v = map(p, vector, CL_MAP_WRITE, COLUMNS * sizeof *v);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    m[i] = (float)(i % 3);
  for (int i = 0; i < COLUMNS; i++)
    v[i] = (float)(i % 4);
  unmap(p, matrix, m);
  unmap(p, vector, v);
}

static void compute(float *y) {
  for (int i = 0; i < ROWS; i++) {
    float t = 0;
    for (int j = 0; j < COLUMNS; j++)
      t += (float)((i * COLUMNS + j) % 3) * (float)(j % 4);
    for (int j = 0; j < COLUMNS; j++)
      y[j] += (float)((i * COLUMNS + j) % 3) * t;
  }
}

int main(void) {
  const int m = ROWS, n = COLUMNS;
  float wanted[COLUMNS] = {0};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem matrix = program_buffer(&p, CL_MEM_USE_HOST_PTR, sizeof a, a);
  cl_mem x = program_buffer(&p, CL_MEM_ALLOC_HOST_PTR, sizeof wanted, NULL);
  cl_mem t = program_buffer(&p, CL_MEM_HOST_NO_ACCESS, ROWS * sizeof(float), NULL);
  cl_mem y = program_buffer(&p, CL_MEM_WRITE_ONLY, sizeof wanted, NULL);
  cl_kernel ax = program_kernel(&p, "ax"), aty = program_kernel(&p, "aty");
  fill(&p, matrix, x);
  program_set(ax, 0, sizeof matrix, &matrix);
  program_set(ax, 1, sizeof x, &x);
  program_set(ax, 2, sizeof t, &t);
  program_set(ax, 3, sizeof n, &n);
  program_launch(&p, ax, ROWS, 16);
  program_set(aty, 0, sizeof matrix, &matrix);
  program_set(aty, 1, sizeof t, &t);
  program_set(aty, 2, sizeof y, &y);
  program_set(aty, 3, sizeof m, &m);
  program_set(aty, 4, sizeof n, &n);
  program_launch(&p, aty, COLUMNS, 0); /* OpenCL chooses the work-groups */
  compute(wanted);
  float *result = map(&p, y, CL_MAP_READ, sizeof wanted);
  const int same = same_floats("y", result, wanted, COLUMNS);
  unmap(&p, y, result);
  clFinish(p.queue);
  return same ? 0 : 1;
}
