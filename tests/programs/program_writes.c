/* Every way in which a program changes a buffer between two launches that find it: what the second one computes shows
 * whether the change was seen. */
#include "program.h"

enum { COUNT = 8192, BYTES = COUNT * sizeof(int), PART = 4096 };

static const char source[] = "kernel void add(global int *a) { a[get_global_id(0)] += 1; }\n"
                             "kernel void triple(global int *a) { a[get_global_id(0)] *= 3; }\n";

static int host[COUNT], shared[COUNT] __attribute__((aligned(4096)));

static void write_part(const struct program *p, cl_mem buffer, int value) {
  host[5] = value;
  must(clEnqueueWriteBuffer(p->queue, buffer, CL_FALSE, PART, 64, host, 0, NULL, NULL), "write");
  must(clFinish(p->queue), "clFinish");
}

static void write_rectangle(const struct program *p, cl_mem buffer) {
  const size_t origin[3] = {0}, region[3] = {16, 3, 1};
  must(clEnqueueWriteBufferRect(p->queue, buffer, CL_TRUE, origin, origin, region, 256, 0, 16, 0, host, 0, NULL, NULL),
       "rectangle");
}

static void write_mapped(const struct program *p, cl_mem buffer) {
  cl_int status;
  int *at = clEnqueueMapBuffer(p->queue, buffer, CL_TRUE, CL_MAP_WRITE, PART, 4096, 0, NULL, NULL, &status);
  must(status, "map");
  at[9] = -77;
  must(clEnqueueUnmapMemObject(p->queue, buffer, at, 0, NULL, NULL), "unmap");
}

static void write_through_part(const struct program *p, cl_mem buffer) {
  const cl_buffer_region region = {PART, 1024};
  cl_int status;
  const cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  must(status, "sub-buffer");
  must(clEnqueueWriteBuffer(p->queue, part, CL_TRUE, 8, 64, host, 0, NULL, NULL), "write of a part");
  must(clReleaseMemObject(part), "release");
}

int main(void) {
  const cl_int value = 41;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  const cl_kernel add = program_kernel(&p, "add"), triple = program_kernel(&p, "triple");
  const cl_mem a = program_buffer(&p, CL_MEM_COPY_HOST_PTR, BYTES, host);
  const cl_mem b = program_buffer(&p, CL_MEM_USE_HOST_PTR, BYTES, shared);
  program_set(add, 0, sizeof a, &a);
  program_set(triple, 0, sizeof a, &a);
  program_launch(&p, add, COUNT, 64);
  write_part(&p, a, 1000);
  program_launch(&p, add, COUNT, 64);
  write_rectangle(&p, a);
  program_launch(&p, add, COUNT, 64);
  must(clEnqueueFillBuffer(p.queue, a, &value, sizeof value, 64, 4096, 0, NULL, NULL), "fill");
  program_launch(&p, add, COUNT, 64);
  must(clEnqueueCopyBuffer(p.queue, b, a, 0, 128, 20000, 0, NULL, NULL), "copy");
  program_launch(&p, add, COUNT, 64);
  write_mapped(&p, a);
  program_launch(&p, add, COUNT, 64);
  write_through_part(&p, a);
  program_launch(&p, add, COUNT, 64);
  program_launch(&p, triple, COUNT, 64); /* a filter may leave it out */
  program_launch(&p, add, COUNT, 64);
  program_set(add, 0, sizeof b, &b);
  program_launch(&p, add, COUNT, 64);
  must(clFinish(p.queue), "clFinish");
  for (int i = 0; i < COUNT; i++)
    shared[i] = i; /* without a call, as on processors many programs do */
  program_launch(&p, add, COUNT, 64);
  program_read(&p, b, BYTES, host);
  for (int i = 0; i < COUNT; i++)
    if (host[i] != i + 1) {
      fprintf(stderr, "element %d: %d\n", i, host[i]);
      return 1;
    }
  return 0;
}
