/* PolyBench's Gram-Schmidt: three kernels a step, the first of them a task (one work-item), the matrix written into a
 * mapped buffer that the host allocated with OpenCL (CL_MEM_ALLOC_HOST_PTR); double precision. */
#include "program.h"

#include <math.h>

enum { ROWS = 20, COLUMNS = 8 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "kernel void norm(global const double *a, global double *r, int k, int rows, int columns) {\n"
    "  double sum = 0;\n"
    "  for (int i = 0; i < rows; i++) sum += a[i * columns + k] * a[i * columns + k];\n"
    "  r[k * columns + k] = sqrt(sum);\n"
    "}\n"
    "kernel void scale(global const double *a, global const double *r, global double *q, int k, int columns) {\n"
    "  int i = get_global_id(0);\n"
    "  q[i * columns + k] = a[i * columns + k] / r[k * columns + k];\n"
    "}\n"
    "kernel void project(global double *a, global double *r, global const double *q, int k, int rows, int columns) {\n"
    "  int j = get_global_id(0);\n"
    "  if (j <= k) return;\n"
    "  double sum = 0;\n"
    "  for (int i = 0; i < rows; i++) sum += q[i * columns + k] * a[i * columns + j];\n"
    "  r[k * columns + j] = sum;\n"
    "  for (int i = 0; i < rows; i++) a[i * columns + j] -= q[i * columns + k] * sum;\n"
    "}\n";

/* Columns of q are of length one and at right angles. */
static int check(const double *q) {
  for (int a = 0; a < COLUMNS; a++)
    for (int b = 0; b < COLUMNS; b++) {
      double sum = 0;
      for (int i = 0; i < ROWS; i++)
        sum += q[i * COLUMNS + a] * q[i * COLUMNS + b];
      if (fabs(sum - (a == b)) > 1e-9) {
        fprintf(stderr, "columns %d and %d have the product %g\n", a, b, sum);
        return 1;
      }
    }
  return 0;
}

int main(void) {
  const int rows = ROWS, columns = COLUMNS;
  const size_t bytes = sizeof(double) * ROWS * COLUMNS;
  struct program p;
  cl_int status;
  double q[ROWS * COLUMNS];
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem A = program_buffer(&p, CL_MEM_ALLOC_HOST_PTR, bytes, NULL), R = program_buffer(&p, 0, bytes, NULL);
  cl_mem Q = program_buffer(&p, CL_MEM_HOST_READ_ONLY, bytes, NULL);
  const double zero = 0;
  must(clEnqueueFillBuffer(p.queue, R, &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
  double *a = clEnqueueMapBuffer(p.queue, A, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0, NULL, NULL, &status);
  must(status, "clEnqueueMapBuffer");
  for (int i = 0; i < ROWS * COLUMNS; i++)
    a[i] = i % (COLUMNS + 1) == 0 ? 9 : (double)(i * i % 7);
  must(clEnqueueUnmapMemObject(p.queue, A, a, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  cl_kernel norm = program_kernel(&p, "norm"), scale = program_kernel(&p, "scale"),
            project = program_kernel(&p, "project");
  const cl_mem arguments[3][3] = {{A, R}, {A, R, Q}, {A, R, Q}};
  const cl_kernel kernels[] = {norm, scale, project};
  for (int k = 0; k < 3; k++)
    for (cl_uint i = 0; i < 3 && arguments[k][i]; i++)
      program_set(kernels[k], i, sizeof(cl_mem), &arguments[k][i]);
  program_set(norm, 3, sizeof rows, &rows);
  program_set(norm, 4, sizeof columns, &columns);
  program_set(scale, 4, sizeof columns, &columns);
  program_set(project, 4, sizeof rows, &rows);
  program_set(project, 5, sizeof columns, &columns);
  for (int k = 0; k < COLUMNS; k++) {
    program_set(norm, 2, sizeof k, &k);
    program_set(scale, 3, sizeof k, &k);
    program_set(project, 3, sizeof k, &k);
    must(clEnqueueTask(p.queue, norm, 0, NULL, NULL), "clEnqueueTask");
    program_launch(&p, scale, ROWS, 4);
    program_launch(&p, project, COLUMNS, 8);
  }
  program_read(&p, Q, bytes, q);
  return check(q);
}
