/* Halves of one buffer as two arguments, then the whole of it: sub-buffers and their parent are the same memory. */
#include "program.h"

enum { HALF = 1024 };

static const char source[] = "kernel void shift(global const float *from, global float *to) {\n"
                             "  int i = get_global_id(0);\n"
                             "  to[i] = from[i] + 1;\n"
                             "}\n"
                             "kernel void twice(global float *all) { all[get_global_id(0)] *= 2; }\n";

static cl_mem part(cl_mem whole, size_t half) {
  cl_int status;
  const cl_buffer_region region = {half * HALF * sizeof(float), HALF * sizeof(float)};
  const cl_mem buffer = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  must(status, "clCreateSubBuffer");
  return buffer;
}

int main(void) {
  static float values[2 * HALF], wanted[2 * HALF];
  struct program p;
  for (int i = 0; i < HALF; i++) {
    values[i] = (float)i;
    wanted[i] = 2 * (float)i;
    wanted[HALF + i] = 2 * (float)(i + 1);
  }
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem whole = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_mem low = part(whole, 0), high = part(whole, 1);
  clReleaseMemObject(whole); /* lives on in its parts */
  cl_kernel shift = program_kernel(&p, "shift"), twice = program_kernel(&p, "twice");
  program_set(shift, 0, sizeof low, &low);
  program_set(shift, 1, sizeof high, &high);
  program_launch(&p, shift, HALF, 64);
  program_set(twice, 0, sizeof low, &low);
  program_launch(&p, twice, HALF, 32);
  program_set(twice, 0, sizeof high, &high);
  program_launch(&p, twice, HALF, 32);
  program_read(&p, low, HALF * sizeof *values, values);
  program_read(&p, high, HALF * sizeof *values, values + HALF);
  clReleaseMemObject(low);
  clReleaseMemObject(high);
  return same_floats("values", values, wanted, (size_t)2 * HALF) ? 0 : 1;
}
