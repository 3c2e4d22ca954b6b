/* Prints the bits of a multiplication and an addition that OpenCL may round once (OpenCL C 1.2, section 6.12.2): they
 * tell whether this process' OpenCL has contracted the two. */
#include "program.h"

static const char source[] = "kernel void contract(global const float *a, global float *c) {\n"
                             "  c[0] = a[0] * a[0] - a[1];\n"
                             "}\n";

int main(void) {
  struct program p;
  /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: rounding the product loses the last term. */
  float in[2] = {1 + 0x1p-12f, 1 + 0x1p-11f}, out = 0;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem a = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof in, in);
  cl_mem c = program_buffer(&p, CL_MEM_READ_WRITE, sizeof out, NULL);
  cl_kernel kernel = program_kernel(&p, "contract");
  program_set(kernel, 0, sizeof a, &a);
  program_set(kernel, 1, sizeof c, &c);
  program_launch(&p, kernel, 1, 1);
  program_read(&p, c, sizeof out, &out);
  printf("%a\n", (double)out);
  clReleaseMemObject(a);
  clReleaseMemObject(c);
  clReleaseKernel(kernel);
  program_close(&p);
  return 0;
}
