#include "program.h"

void must(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "%s failed with OpenCL error %d\n", what, status);
  exit(1);
}

static void build(struct program *p, const char *source, const char *options) {
  cl_int status;
  p->program = clCreateProgramWithSource(p->context, 1, &source, NULL, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(p->program, 1, &p->device, options, NULL, NULL), "clBuildProgram");
}

void program_open(struct program *p, cl_device_type type, cl_command_queue_properties properties, const char *source,
                  const char *options) {
  cl_int status;
  must(clGetPlatformIDs(1, &p->platform, NULL), "clGetPlatformIDs");
  must(clGetDeviceIDs(p->platform, type, 1, &p->device, NULL), "clGetDeviceIDs");
  p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &status);
  must(status, "clCreateContext");
  p->queue = clCreateCommandQueue(p->context, p->device, properties, &status);
  must(status, "clCreateCommandQueue");
  p->program = NULL;
  if (source)
    build(p, source, options);
}

void program_close(struct program *p) {
  if (p->program)
    clReleaseProgram(p->program);
  clReleaseCommandQueue(p->queue);
  clReleaseContext(p->context);
}

cl_kernel program_kernel(const struct program *p, const char *name) {
  cl_int status;
  const cl_kernel kernel = clCreateKernel(p->program, name, &status);
  must(status, "clCreateKernel");
  return kernel;
}

cl_mem program_buffer(const struct program *p, cl_mem_flags flags, size_t bytes, void *host) {
  cl_int status;
  const cl_mem buffer = clCreateBuffer(p->context, flags, bytes, host, &status);
  must(status, "clCreateBuffer");
  return buffer;
}

void program_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  must(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

void program_launch(const struct program *p, cl_kernel kernel, size_t global, size_t local) {
  must(clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL),
       "clEnqueueNDRangeKernel");
}

void program_read(const struct program *p, cl_mem buffer, size_t bytes, void *host) {
  must(clEnqueueReadBuffer(p->queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer");
}

int same_floats(const char *name, const float *actual, const float *wanted, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (actual[i] != wanted[i]) {
      fprintf(stderr, "%s[%zu] is %g, wanted %g\n", name, i, (double)actual[i], (double)wanted[i]);
      return 0;
    }
  return 1;
}

cl_program program_reloaded(const struct program *p, const char *options) {
  size_t length = 0;
  cl_int status, each = -1;
  must(clGetProgramInfo(p->program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL), "CL_PROGRAM_BINARY_SIZES");
  unsigned char *bytes = malloc(length);
  const unsigned char *binary = bytes;
  must(clGetProgramInfo(p->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), "CL_PROGRAM_BINARIES");
  const cl_program program = clCreateProgramWithBinary(p->context, 1, &p->device, &length, &binary, &each, &status);
  must(status, "clCreateProgramWithBinary");
  must(each, "clCreateProgramWithBinary, for the device");
  must(clBuildProgram(program, 1, &p->device, options, NULL, NULL), "clBuildProgram of a binary");
  free(bytes);
  return program;
}
