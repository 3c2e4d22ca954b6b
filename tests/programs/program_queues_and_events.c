/* A queue without order and one with, tied by events alone: a write that the first kernel waits for, a kernel on the
 * other queue that waits for the first, a copy that waits for both. Then a launch behind a user event that is not set
 * yet. */
#include "program.h"

enum { COUNT = 4096 };

static const char source[] = "kernel void add(global float *a, global const float *b, float c) {\n"
                             "  int i = get_global_id(0);\n"
                             "  a[i] += b[i] * c;\n"
                             "}\n";

static cl_event launch(cl_command_queue queue, cl_kernel kernel, cl_mem a, cl_mem b, float c, cl_uint count,
                       const cl_event *before) {
  const size_t global = COUNT, local = 128;
  cl_event event;
  program_set(kernel, 0, sizeof a, &a);
  program_set(kernel, 1, sizeof b, &b);
  program_set(kernel, 2, sizeof c, &c);
  must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, count, before, &event),
       "clEnqueueNDRangeKernel");
  return event;
}

int main(void) {
  static float values[COUNT], wanted[COUNT], found[COUNT];
  struct program p;
  cl_int status;
  cl_event written[2], ran[3], copied;
  for (int i = 0; i < COUNT; i++) {
    values[i] = (float)(i % 100);
    wanted[i] = values[i] * 12; /* a = v + 2 v = 3 v; b = v + a = 4 v; found = 4 v + 2 * 4 v */
  }
  program_open(&p, CL_DEVICE_TYPE_ALL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, source, NULL);
  cl_command_queue other = clCreateCommandQueue(p.context, p.device, 0, &status);
  must(status, "clCreateCommandQueue");
  cl_mem a = program_buffer(&p, 0, sizeof values, NULL), b = program_buffer(&p, 0, sizeof values, NULL);
  cl_mem c = program_buffer(&p, 0, sizeof values, NULL);
  cl_kernel kernel = program_kernel(&p, "add");
  must(clEnqueueWriteBuffer(p.queue, a, CL_FALSE, 0, sizeof values, values, 0, NULL, &written[0]), "write");
  must(clEnqueueWriteBuffer(p.queue, b, CL_FALSE, 0, sizeof values, values, 0, NULL, &written[1]), "write");
  ran[0] = launch(p.queue, kernel, a, b, 2, 2, written);
  ran[1] = launch(other, kernel, b, a, 1, 1, &ran[0]);
  must(clEnqueueCopyBuffer(p.queue, b, c, 0, 0, sizeof values, 2, ran, &copied), "clEnqueueCopyBuffer");
  cl_event user = clCreateUserEvent(p.context, &status);
  must(status, "clCreateUserEvent");
  const cl_event both[] = {copied, user};
  ran[2] = launch(p.queue, kernel, c, b, 2, 2, both);
  must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  must(clEnqueueReadBuffer(p.queue, c, CL_TRUE, 0, sizeof found, found, 1, &ran[2], NULL), "clEnqueueReadBuffer");
  return same_floats("c", found, wanted, COUNT) ? 0 : 1;
}
