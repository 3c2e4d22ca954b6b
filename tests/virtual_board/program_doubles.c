/* Double precision on a GPU that has none: the extension is not listed, its macro is not defined, a program that uses
 * the type does not build, with OpenCL's code for that, and a constant without a suffix is a float. Ends with 1 where a
 * device that lists the extension behaves so, or the other way round. */
#include "program.h"

static const char doubles[] = "kernel void add(global double *a) { a[get_global_id(0)] += 1.5; }\n";
static const char floats[] = "kernel void add(global float *a) {\n"
                             "#ifdef cl_khr_fp64\n"
                             "  a[0] = sizeof(1.5 * a[0]);\n"
                             "#else\n"
                             "  a[0] = 1000 + sizeof(1.5 * a[0]);\n"
                             "#endif\n"
                             "}\n";

static int has_doubles(const struct program *p) {
  char text[4096] = "";
  must(clGetDeviceInfo(p->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL), "clGetDeviceInfo");
  return strstr(text, "cl_khr_fp64") != NULL;
}

static cl_int build(const struct program *p, const char *source) {
  cl_int status;
  cl_program program = clCreateProgramWithSource(p->context, 1, &source, NULL, &status);
  must(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &p->device, "", NULL, NULL);
  clReleaseProgram(program);
  return status;
}

int main(void) {
  struct program p;
  float value = 0;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, floats, "");
  const int doubles_are_there = has_doubles(&p);
  const cl_int wanted = doubles_are_there ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE, found = build(&p, doubles);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof value, &value);
  cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(&p, kernel, 1, 1);
  program_read(&p, buffer, sizeof value, &value);
  const float bytes = doubles_are_there ? 8 : 1004;
  if (found != wanted)
    fprintf(stderr, "a program with doubles: code %d, expected %d\n", found, wanted);
  if (value != bytes)
    fprintf(stderr, "a constant: %g, expected %g\n", (double)value, (double)bytes);
  return found != wanted || value != bytes;
}
