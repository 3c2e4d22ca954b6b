/* Launches that are enqueued before the program sets a user event, whether they wait for it or not: in a queue with
 * order, where what follows overwrites their buffer; in one without, where the program waits for an independent launch
 * first; and behind an event that is never set. With an argument, the event that a launch waits for fails. */
#include "program.h"

enum { COUNT = 4096, BYTES = COUNT * sizeof(int) };

static const char source[] = "kernel void add(global int *a, int c) { a[get_global_id(0)] += c; }\n";

static int zeros[COUNT], hundreds[COUNT];

static cl_mem buffer(const struct program *p) {
  return program_buffer(p, CL_MEM_COPY_HOST_PTR, BYTES, zeros);
}

static cl_event user_event(const struct program *p) {
  cl_int status;
  const cl_event event = clCreateUserEvent(p->context, &status);
  must(status, "clCreateUserEvent");
  return event;
}

/* a += c, behind an event or none. */
static cl_event launch(const struct program *p, cl_mem a, cl_int c, const cl_event *before) {
  const size_t global = COUNT, local = 64;
  cl_event event;
  cl_kernel add = program_kernel(p, "add");
  program_set(add, 0, sizeof a, &a);
  program_set(add, 1, sizeof c, &c);
  must(clEnqueueNDRangeKernel(p->queue, add, 1, NULL, &global, &local, before ? 1 : 0, before, &event),
       "clEnqueueNDRangeKernel");
  must(clReleaseKernel(add), "clReleaseKernel");
  return event;
}

static void expect(const struct program *p, cl_mem a, int wanted) {
  int values[COUNT];
  program_read(p, a, BYTES, values);
  for (int i = 0; i < COUNT; i++)
    if (values[i] != wanted) {
      fprintf(stderr, "found %d at %d, wanted %d\n", values[i], i, wanted);
      exit(1);
    }
}

static void in_order(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem a = buffer(&p), lost = buffer(&p);
  const cl_event user = user_event(&p);
  launch(&p, a, 1, &user);
  must(clEnqueueWriteBuffer(p.queue, a, CL_FALSE, 0, BYTES, hundreds, 0, NULL, NULL), "clEnqueueWriteBuffer");
  launch(&p, a, 2, NULL);
  launch(&p, lost, 3, NULL);
  must(clReleaseMemObject(lost), "clReleaseMemObject");
  must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  expect(&p, a, 102);
  program_close(&p);
}

static void out_of_order(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, source, NULL);
  cl_mem a = buffer(&p), b = buffer(&p);
  const cl_event user = user_event(&p);
  const cl_event first = launch(&p, a, 1, &user);
  const cl_event second = launch(&p, a, 2, &first);
  const cl_event apart = launch(&p, b, 3, NULL);
  must(clWaitForEvents(1, &apart), "clWaitForEvents");
  must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  must(clEnqueueWriteBuffer(p.queue, a, CL_FALSE, 0, BYTES, hundreds, 1, &second, NULL), "clEnqueueWriteBuffer");
  must(clFinish(p.queue), "clFinish");
  expect(&p, a, 100);
  expect(&p, b, 3);
  program_close(&p);
}

static void never_set(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem a = buffer(&p);
  must(clReleaseEvent(user_event(&p)), "clReleaseEvent");
  launch(&p, a, 1, NULL);
  launch(&p, a, 2, NULL);
  expect(&p, a, 3);
  program_close(&p);
}

static void failing(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem a = buffer(&p);
  const cl_event user = user_event(&p);
  const cl_event event = launch(&p, a, 1, &user);
  must(clSetUserEventStatus(user, -1), "clSetUserEventStatus");
  if (clWaitForEvents(1, &event) == CL_SUCCESS)
    exit(1);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < COUNT; i++)
    hundreds[i] = 100;
  in_order();
  out_of_order();
  never_set();
  if (argc > 1)
    failing();
  return 0;
}
