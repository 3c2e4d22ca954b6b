/* Launches three times and is ended by a signal before the fourth. */
#include "program.h"

#include <signal.h>

static const char source[] = "kernel void next(global int *x) { x[get_global_id(0)]++; }\n";

int main(void) {
  int values[64] = {0};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "next");
  program_set(kernel, 0, sizeof buffer, &buffer);
  for (int i = 0; i < 4; i++) {
    if (i == 3)
      raise(SIGKILL);
    program_launch(&p, kernel, 64, 16);
  }
  return 0;
}
