/* Buffers without contents, given values in every way that OpenCL has before a kernel reads them; then, with an
 * argument, one that a kernel reads although half of it was never written. */
#include "program.h"

#define COUNT 256
#define BYTES (COUNT * sizeof(int))

static const char source[] =
    "kernel void fill(global int *out, int at) { out[at + get_global_id(0)] = get_global_id(0); }\n"
    "kernel void add(global int *sum, global const int *x) {\n"
    "  int i = get_global_id(0);\n"
    "  sum[i] += x[i];\n"
    "}\n"
    "kernel void move(global int *to, global const int *from) {\n"
    "  int i = get_global_id(0);\n"
    "  to[i] = from[i];\n"
    "}\n";

static void launch(const struct program *p, const char *name, cl_mem first, cl_mem second, size_t global) {
  cl_kernel kernel = program_kernel(p, name);
  const cl_int at = 0;
  program_set(kernel, 0, sizeof first, &first);
  if (second)
    program_set(kernel, 1, sizeof second, &second);
  else
    program_set(kernel, 1, sizeof at, &at);
  program_launch(p, kernel, global, 32);
  must(clReleaseKernel(kernel), "clReleaseKernel");
}

static cl_mem empty(const struct program *p) {
  return program_buffer(p, CL_MEM_READ_WRITE, BYTES, NULL);
}

static void write_halves(const struct program *p, cl_mem buffer, const int *values) {
  const cl_buffer_region half = {BYTES / 2, BYTES / 2};
  cl_int status;
  cl_mem part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &status);
  must(status, "clCreateSubBuffer");
  must(clEnqueueWriteBuffer(p->queue, part, CL_TRUE, 0, BYTES / 2, values, 0, NULL, NULL), "clEnqueueWriteBuffer");
  must(clEnqueueWriteBuffer(p->queue, buffer, CL_FALSE, 0, BYTES / 2, values, 0, NULL, NULL), "clEnqueueWriteBuffer");
  must(clReleaseMemObject(part), "clReleaseMemObject");
}

static void map(const struct program *p, cl_mem buffer) {
  cl_int status;
  int *values = clEnqueueMapBuffer(p->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
  must(status, "clEnqueueMapBuffer");
  for (int i = 0; i < COUNT; i++)
    values[i] = i;
  must(clEnqueueUnmapMemObject(p->queue, buffer, values, 0, NULL, NULL), "clEnqueueUnmapMemObject");
}

int main(int argc, char **argv) {
  int values[COUNT] = {0};
  const int one = 1;
  struct program p;
  (void)argv;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem written = empty(&p), mapped = empty(&p), filled = empty(&p), copied = empty(&p), computed = empty(&p),
         moved = empty(&p), half = empty(&p);
  write_halves(&p, written, values);
  map(&p, mapped);
  must(clEnqueueFillBuffer(p.queue, filled, &one, sizeof one, 0, BYTES, 0, NULL, NULL), "clEnqueueFillBuffer");
  must(clEnqueueCopyBuffer(p.queue, mapped, copied, 0, 0, BYTES, 0, NULL, NULL), "clEnqueueCopyBuffer");
  launch(&p, "fill", computed, NULL, COUNT);
  launch(&p, "move", moved, computed, COUNT);
  cl_mem sources[] = {mapped, filled, copied, computed, moved};
  for (int i = 0; i < 5; i++)
    launch(&p, "add", written, sources[i], COUNT);
  launch(&p, "fill", half, NULL, COUNT / 2);
  launch(&p, "move", moved, half, COUNT); /* moving it about is no use of it */
  launch(&p, "add", written, half, argc > 1 ? COUNT : COUNT / 2);
  launch(&p, "add", written, written, COUNT);
  program_read(&p, written, BYTES, values);
  return argc == 1 && values[255] != 2 * (4 * 255 + 1);
}
