/* Launches that cannot be captured, each for another reason, and two that can, one of them with a null buffer: a
 * structure of 1,200 bytes by value, a kernel of a program linked from parts with different options, and one that
 * OpenCL refuses. All but the last of these run. */
#include "program.h"

enum { COUNT = 64 };

static const char source[] =
    "kernel void maybe(global int *x, global const int *y) { x[get_global_id(0)] += y ? y[0] : 1; }\n"
    "struct large { int numbers[300]; };\n"
    "kernel void look(global int *x, struct large l) { x[get_global_id(0)] += l.numbers[299]; }\n";
static const char linked[] = "int one(void);\n"
                             "kernel void add(global int *x) { x[get_global_id(0)] += one(); }\n";
static const char part[] = "int one(void) { return ONE; }\n";

static cl_program compiled(const struct program *p, const char *text, const char *options) {
  cl_int status;
  const cl_program program = clCreateProgramWithSource(p->context, 1, &text, NULL, &status);
  must(status, "clCreateProgramWithSource");
  must(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL), "clCompileProgram");
  return program;
}

static cl_kernel link_kernel(const struct program *p) {
  const cl_program parts[] = {compiled(p, linked, NULL), compiled(p, part, "-DONE=1")};
  cl_int status;
  cl_program whole = clLinkProgram(p->context, 0, NULL, NULL, 2, parts, NULL, NULL, &status);
  must(status, "clLinkProgram");
  const cl_kernel kernel = clCreateKernel(whole, "add", &status);
  must(status, "clCreateKernel");
  return kernel;
}

int main(void) {
  int values[COUNT] = {0}, one = 1, large[300] = {[299] = 1};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem x = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_mem y = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof one, &one);
  cl_kernel kernels[] = {program_kernel(&p, "maybe"), program_kernel(&p, "look"), link_kernel(&p)};
  for (int i = 0; i < 3; i++)
    program_set(kernels[i], 0, sizeof x, &x);
  program_set(kernels[0], 1, sizeof y, NULL);
  program_set(kernels[1], 1, sizeof large, large);
  for (int i = 0; i < 3; i++)
    program_launch(&p, kernels[i], COUNT, 8);
  program_set(kernels[0], 1, sizeof y, &y);
  const size_t too_large = (size_t)1 << 20;
  if (clEnqueueNDRangeKernel(p.queue, kernels[0], 1, NULL, &too_large, &too_large, 0, NULL, NULL) == CL_SUCCESS)
    return 1;
  program_launch(&p, kernels[0], COUNT, 8);
  program_read(&p, x, sizeof values, values);
  for (int i = 0; i < COUNT; i++)
    if (values[i] != 4) {
      fprintf(stderr, "x[%d] is %d, wanted 4\n", i, values[i]);
      return 1;
    }
  return 0;
}
