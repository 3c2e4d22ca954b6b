/* Random launches of a few kernels, of which many repeat earlier ones: their values and the contents of their buffers
 * decide branches and addresses in some and in others do not; between them the program writes, fills and copies.
 * Usage: program_random_launches SEED */
#include <stdlib.h>

#include "program.h"

enum { ITEMS = 256, BUFFERS = 4, LAUNCHES = 80 };

static const char source[] =
    "kernel void scale(global int *a, int s) { int i = get_global_id(0); a[i] = a[i] * s + 1; }\n"
    "kernel void shift(global const int *a, global int *b, int by) {\n"
    "  int i = get_global_id(0); b[i] = a[(i + by) & 63];\n"
    "}\n"
    "kernel void choose(global const int *a, global int *b, int s) {\n"
    "  int i = get_global_id(0); if (s > 1) b[i] = a[i]; else b[i ^ 1] = s;\n"
    "}\n"
    "kernel void gather(global const int *a, global const int *at, global int *b) {\n"
    "  int i = get_global_id(0); b[i] = a[at[i] & 63];\n"
    "}\n"
    "kernel void count(global const int *a, global int *b, int s) {\n"
    "  int i = get_global_id(0), n = 0; while (n < (a[i] & 3)) n++; b[i] = n + s;\n"
    "}\n";

static const struct {
  const char *name;
  cl_uint buffers;
  int has_value;
} kernels[] = {{"scale", 1, 1}, {"shift", 2, 1}, {"choose", 2, 1}, {"gather", 3, 0}, {"count", 2, 1}};

static unsigned state;

static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

/* Writes one of two contents, so that contents come back. */
static void write_some(const struct program *p, cl_mem buffer) {
  int data[ITEMS];
  const unsigned step = 1 + draw(2), first = draw(2) * 64, count = 64;
  for (unsigned i = 0; i < count; i++)
    data[i] = (int)(i * step);
  switch (draw(3)) {
  case 0:
    must(clEnqueueWriteBuffer(p->queue, buffer, CL_TRUE, first * 4, count * 4, data, 0, NULL, NULL), "write");
    break;
  case 1:
    must(clEnqueueFillBuffer(p->queue, buffer, &step, 4, first * 4, count * 4, 0, NULL, NULL), "fill");
    break;
  default: {
    int *at = clEnqueueMapBuffer(p->queue, buffer, CL_TRUE, CL_MAP_WRITE, first * 4, count * 4, 0, NULL, NULL, NULL);
    for (unsigned i = 0; i < count; i++)
      at[i] = data[i];
    must(clEnqueueUnmapMemObject(p->queue, buffer, at, 0, NULL, NULL), "unmap");
  }
  }
}

static void launch_one(const struct program *p, const cl_mem *buffers) {
  const unsigned which = draw(sizeof kernels / sizeof *kernels), first = draw(BUFFERS);
  const cl_kernel kernel = program_kernel(p, kernels[which].name);
  const int value = (int)draw(4);
  for (cl_uint i = 0; i < kernels[which].buffers; i++) /* neighbours, so that some launches have the same */
    program_set(kernel, i, sizeof buffers[0], &buffers[(first + i) % BUFFERS]);
  if (kernels[which].has_value)
    program_set(kernel, kernels[which].buffers, sizeof value, &value);
  program_launch(p, kernel, draw(4) ? 64 : 128, draw(4) ? 64 : 32);
  must(clReleaseKernel(kernel), "clReleaseKernel");
}

int main(int argc, char **argv) {
  struct program p;
  cl_mem buffers[BUFFERS];
  int data[ITEMS];
  state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  for (int i = 0; i < ITEMS; i++)
    data[i] = i;
  for (int i = 0; i < BUFFERS; i++) /* the last is written by what follows */
    buffers[i] = program_buffer(&p, i + 1 < BUFFERS ? CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE,
                                sizeof data, i + 1 < BUFFERS ? data : NULL);
  must(clEnqueueFillBuffer(p.queue, buffers[BUFFERS - 1], data, 4, 0, sizeof data, 0, NULL, NULL), "fill");
  for (int i = 0; i < LAUNCHES; i++) {
    if (draw(5) == 0)
      write_some(&p, buffers[draw(BUFFERS)]);
    launch_one(&p, buffers);
  }
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
  return 0;
}
