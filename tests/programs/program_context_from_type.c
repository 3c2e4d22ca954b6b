/* Two contexts, made from a device type, with a queue and a program each; the source of one comes in pieces with
 * lengths, that of the other includes a header from the current folder. */
#include "program.h"

enum { COUNT = 256 };

static void open_context(struct program *p, cl_uint pieces, const char **source, const size_t *lengths) {
  cl_int status;
  must(clGetPlatformIDs(1, &p->platform, NULL), "clGetPlatformIDs");
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)p->platform, 0};
  p->context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &status);
  must(status, "clCreateContextFromType");
  must(clGetContextInfo(p->context, CL_CONTEXT_DEVICES, sizeof p->device, &p->device, NULL), "clGetContextInfo");
  p->queue = clCreateCommandQueue(p->context, p->device, CL_QUEUE_PROFILING_ENABLE, &status);
  must(status, "clCreateCommandQueue");
  p->program = clCreateProgramWithSource(p->context, pieces, source, lengths, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(p->program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
}

static int run(struct program *p, float add) {
  float values[COUNT], wanted[COUNT];
  for (int i = 0; i < COUNT; i++) {
    values[i] = (float)i;
    wanted[i] = (float)i + add;
  }
  cl_mem buffer = program_buffer(p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(p, kernel, COUNT, 64);
  program_read(p, buffer, sizeof values, values);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  return same_floats("x", values, wanted, COUNT);
}

static void write_header(void) {
  FILE *file = fopen("amount.h", "w");
  if (!file || fputs("#define AMOUNT 1\n", file) < 0 || fclose(file) != 0)
    must(CL_INVALID_VALUE, "writing amount.h");
}

int main(void) {
  const char *pieces[] = {"kernel void add(global float *x) {XXXX", "  x[get_global_id(0)] += AMOUNT; }", "\n"};
  const size_t lengths[] = {strlen(pieces[0]) - 4, 0, 1};
  const char *whole[] = {"#include \"amount.h\"\n",
                         "kernel void add(global float *x) { x[get_global_id(0)] += AMOUNT; }\n"};
  const char *defined[] = {"#define AMOUNT 2\n", pieces[0], pieces[1], pieces[2]};
  const size_t all[] = {0, lengths[0], lengths[1], lengths[2]};
  struct program one, two;
  write_header();
  open_context(&one, 2, whole, NULL);
  open_context(&two, 4, defined, all);
  const int same = run(&one, 1) & run(&two, 2) & run(&one, 1);
  program_close(&one);
  program_close(&two);
  return same ? 0 : 1;
}
