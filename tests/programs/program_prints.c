/* A kernel that prints: OpenCL shows it, the emulation does not show it again. */
#include "program.h"

static const char source[] = "kernel void squares(global int *a) {\n"
                             "  int i = get_global_id(0);\n"
                             "  a[i] = i * i;\n"
                             "  if (i == 3) printf(\"item %d has %d!\\n\", i, a[i]);\n"
                             "}\n";

int main(void) {
  struct program p;
  int a[16];
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem buffer = program_buffer(&p, CL_MEM_READ_WRITE, sizeof a, NULL);
  cl_kernel squares = program_kernel(&p, "squares");
  program_set(squares, 0, sizeof buffer, &buffer);
  program_launch(&p, squares, 16, 4);
  program_read(&p, buffer, sizeof a, a);
  for (int i = 0; i < 16; i++)
    if (a[i] != i * i) {
      fprintf(stderr, "a[%d] is %d, expected %d\n", i, a[i], i * i);
      return 1;
    }
  clReleaseKernel(squares);
  clReleaseMemObject(buffer);
  program_close(&p);
  return 0;
}
