/* One launch that takes long enough to be emulated by several processes; with the argument `endless` short launches,
 * about 50 a second, without end. */
#include <time.h>

#include "program.h"

enum { COUNT = 4096, ROUNDS = 30000 };

static const char source[] = "kernel void stir(global uint *x, uint rounds) {\n"
                             "  uint value = x[get_global_id(0)];\n"
                             "  for (uint i = 0; i < rounds; i++)\n"
                             "    value = (value ^ value >> 15) * 2654435761u + i;\n"
                             "  x[get_global_id(0)] = value;\n"
                             "}\n";

static cl_uint x[COUNT], wanted[COUNT];

static cl_uint stirred(cl_uint value) {
  for (cl_uint i = 0; i < ROUNDS; i++)
    value = (value ^ value >> 15) * 2654435761u + i;
  return value;
}

static void launch_without_end(void) {
  static const struct timespec pause = {.tv_nsec = 20000000};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  const cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof x, x);
  const cl_kernel kernel = program_kernel(&p, "stir");
  program_set(kernel, 0, sizeof buffer, &buffer);
  for (cl_uint rounds = 0;; rounds++) {
    program_set(kernel, 1, sizeof rounds, &rounds);
    program_launch(&p, kernel, 256, 64);
    must(clFinish(p.queue), "clFinish");
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char **argv) {
  const cl_uint rounds = ROUNDS;
  struct program p;
  if (argc > 1 && strcmp(argv[1], "endless") == 0)
    launch_without_end();
  for (cl_uint i = 0; i < COUNT; i++) {
    x[i] = i;
    wanted[i] = stirred(i);
  }
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof x, x);
  cl_kernel kernel = program_kernel(&p, "stir");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof rounds, &rounds);
  program_launch(&p, kernel, COUNT, 64);
  program_read(&p, buffer, sizeof x, x);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  program_close(&p);
  for (int i = 0; i < COUNT; i++)
    if (x[i] != wanted[i]) {
      fprintf(stderr, "x[%d]: found %u, expected %u\n", i, x[i], wanted[i]);
      return 1;
    }
  return 0;
}
