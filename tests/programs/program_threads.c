/* Four threads on one context, each with a queue, a kernel and buffers of its own, all launching at the same time. */
#include "program.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 3, COUNT = 512 };

static const char source[] = "kernel void stir(global uint *x, uint seed) {\n"
                             "  uint i = get_global_id(0);\n"
                             "  x[i] = (x[i] ^ seed) * 2654435761u + rotate(x[(i & ~7u) | (i & 7u)], 7u);\n"
                             "}\n";

static struct program shared;
static int wrong[THREADS];

static void compute(cl_uint *x, cl_uint seed) {
  for (int i = 0; i < COUNT; i++)
    x[i] = (x[i] ^ seed) * 2654435761u + (x[i] << 7 | x[i] >> 25);
}

static void *work(void *argument) {
  const cl_uint number = (cl_uint)(size_t)argument;
  struct program p = shared;
  cl_int status;
  cl_uint found[COUNT], wanted[COUNT];
  for (cl_uint i = 0; i < COUNT; i++)
    wanted[i] = i * (number + 1);
  p.queue = clCreateCommandQueue(p.context, p.device, 0, &status);
  must(status, "clCreateCommandQueue");
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof wanted, wanted);
  for (cl_uint round = 0; round < ROUNDS; round++) {
    const cl_uint seed = number * 100 + round;
    cl_kernel kernel = program_kernel(&p, "stir");
    program_set(kernel, 0, sizeof buffer, &buffer);
    program_set(kernel, 1, sizeof seed, &seed);
    program_launch(&p, kernel, COUNT, 64);
    clReleaseKernel(kernel);
    compute(wanted, seed);
  }
  program_read(&p, buffer, sizeof found, found);
  wrong[number] = memcmp(found, wanted, sizeof found) != 0;
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(p.queue);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int any = 0;
  program_open(&shared, CL_DEVICE_TYPE_GPU, 0, source, "");
  for (size_t t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, work, (void *)t))
      return 1;
  for (size_t t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    any |= wrong[t];
  }
  program_close(&shared);
  return any;
}
