/* PolyBench's correlation matrix: four kernels one after the other, all of them made at once from a program that is
 * built with a callback and with macros that hold types and expressions; a work-group size is left to OpenCL. */
#include "program.h"

#include <math.h>

enum { N = 48, M = 40 };

static const char source[] =
    "kernel void means(global float *mean, global const REAL *data) {\n"
    "  int j = get_global_id(0);\n"
    "  mean[j] = 0;\n"
    "  for (int i = 0; i < N; i++) mean[j] += data[i * M + j];\n"
    "  mean[j] /= COUNT;\n"
    "}\n"
    "kernel void deviations(global const float *mean, global float *deviation, global const REAL *data) {\n"
    "  int j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < N; i++) sum += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);\n"
    "  sum = sqrt(sum / COUNT);\n"
    "  deviation[j] = sum <= 0.005f ? 1 : sum;\n"
    "}\n"
    "kernel void reduce(global const float *mean, global const float *deviation, global REAL *data) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  data[i * M + j] = (data[i * M + j] - mean[j]) / (sqrt(COUNT) * deviation[j]);\n"
    "}\n"
    "kernel void correlate(global float *c, global const REAL *data) {\n"
    "  int a = get_global_id(0);\n"
    "  c[a * M + a] = 1;\n"
    "  for (int b = a + 1; b < M; b++) {\n"
    "    float sum = 0;\n"
    "    for (int i = 0; i < N; i++) sum += data[i * M + a] * data[i * M + b];\n"
    "    c[a * M + b] = c[b * M + a] = sum;\n"
    "  }\n"
    "}\n";

static float data[N * M], found[M * M];
static volatile int built;

static void CL_CALLBACK note(cl_program program, void *user) {
  (void)program;
  *(volatile int *)user = 1;
}

/* The correlation of two columns, in double. */
static double correlation(int a, int b) {
  double mean[2] = {0}, square[2] = {0}, product = 0;
  const int column[] = {a, b};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++)
      mean[k] += (double)data[i * M + column[k]] / N;
    for (int i = 0; i < N; i++)
      square[k] += pow((double)data[i * M + column[k]] - mean[k], 2);
  }
  for (int i = 0; i < N; i++)
    product += ((double)data[i * M + a] - mean[0]) * ((double)data[i * M + b] - mean[1]);
  return product / sqrt(square[0] * square[1]);
}

static int check(void) {
  for (int a = 0; a < M; a++)
    for (int b = 0; b < M; b++)
      if (fabs((double)found[a * M + b] - correlation(a, b)) > 1e-4) {
        fprintf(stderr, "c[%d][%d] is %g, wanted %g\n", a, b, (double)found[a * M + b], correlation(a, b));
        return 1;
      }
  return built ? 0 : 1;
}

int main(void) {
  const char *text = source;
  struct program p;
  cl_int status;
  cl_kernel kernels[4];
  cl_uint count;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      data[i * M + j] = (float)((i * (j + 3)) % 17) + (float)(i % 5);
  program_open(&p, CL_DEVICE_TYPE_DEFAULT, 0, NULL, NULL);
  p.program = clCreateProgramWithSource(p.context, 1, &text, NULL, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(p.program, 1, &p.device, "-DN=48 -D M=40 -DREAL=float -DCOUNT=((float)N) -w", note,
                      (void *)&built),
       "clBuildProgram");
  must(clCreateKernelsInProgram(p.program, 4, kernels, &count), "clCreateKernelsInProgram");
  cl_mem input = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof data, data);
  cl_mem mean = program_buffer(&p, 0, M * sizeof(float), NULL),
         deviation = program_buffer(&p, 0, M * sizeof(float), NULL);
  cl_mem c = program_buffer(&p, 0, sizeof found, NULL);
  const char *const names[] = {"means", "deviations", "reduce", "correlate"};
  const cl_mem arguments[4][3] = {{mean, input}, {mean, deviation, input}, {mean, deviation, input}, {c, input}};
  for (int k = 0; k < 4; k++) {
    char name[64];
    cl_kernel kernel = NULL;
    for (int i = 0; i < 4 && !kernel; i++) {
      must(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), "clGetKernelInfo");
      kernel = strcmp(name, names[k]) == 0 ? kernels[i] : NULL;
    }
    for (cl_uint i = 0; i < 3 && arguments[k][i]; i++)
      program_set(kernel, i, sizeof(cl_mem), &arguments[k][i]);
    const size_t global[] = {M, N};
    must(clEnqueueNDRangeKernel(p.queue, kernel, k == 2 ? 2 : 1, NULL, global, NULL, 0, NULL, NULL), names[k]);
  }
  program_read(&p, c, sizeof found, found);
  return check();
}
