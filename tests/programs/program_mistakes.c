/* A launch that is fine, one that reads behind its buffer, and two that do something else on OpenCL than in the
 * emulation, because their source asks which compiler it meets: another result, or no end. With a second
 * argument the program aborts behind them. */
#include "program.h"

static const char source[] =
    "kernel void fine(global int *x) { x[get_global_id(0)] += 1; }\n"
    "kernel void behind(global int *x) { if (x[get_global_id(0) + 1] == 12345) x[0] = 1; }\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define ANSWER 1\n"
    "#else\n"
    "#define ANSWER 2\n"
    "#endif\n"
    "kernel void endless(global volatile int *x) {\n"
    "  while (ANSWER == 2 && x[1] < 100) x[2] = sin(sin(sin(sin(sin(sin(sin(sin((float)x[2]))))))));\n"
    "}\n"
    "kernel void differs(global int *x) { x[get_global_id(0)] = ANSWER; }\n";

int main(int argc, char **argv) {
  int values[64] = {0};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  const char *const names[] = {"fine", argc > 1 ? argv[1] : "behind", "fine"};
  for (int i = 0; i < 3; i++) {
    cl_kernel kernel = program_kernel(&p, names[i]);
    program_set(kernel, 0, sizeof buffer, &buffer);
    program_launch(&p, kernel, 64, 16);
  }
  program_read(&p, buffer, sizeof values, values);
  if (argc > 2)
    abort();
  return 0;
}
