/* A callback that OpenCL makes out of the call that sets it, because the event has ended: the program's clocks are
 * simulated in it and behind it. With --host-scale 0 a loop that takes a tenth of a second here costs none. */
#include "program.h"

#include <time.h>

static const char source[] = "kernel void fill(global int *a) { a[get_global_id(0)] = 1; }\n";

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000ll * now.tv_sec + now.tv_nsec;
}

/* Returns the time of a loop, by the program's clock. */
static long long loop_ns(void) {
  const long long start = now_ns();
  for (volatile unsigned i = 0; i < 50000000; i++)
    continue;
  return now_ns() - start;
}

static void CL_CALLBACK note(cl_event event, cl_int state, void *user) {
  (void)event, (void)state;
  *(long long *)user = loop_ns();
}

int main(void) {
  struct program p;
  long long inside = -1;
  cl_event ended;
  const size_t items = 64;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem buffer = program_buffer(&p, CL_MEM_READ_WRITE, items * sizeof(cl_int), NULL);
  cl_kernel kernel = program_kernel(&p, "fill");
  program_set(kernel, 0, sizeof buffer, &buffer);
  must(clEnqueueNDRangeKernel(p.queue, kernel, 1, NULL, &items, &items, 0, NULL, &ended), "clEnqueueNDRangeKernel");
  must(clWaitForEvents(1, &ended), "clWaitForEvents");
  must(clSetEventCallback(ended, CL_COMPLETE, note, &inside), "clSetEventCallback");
  const long long behind = loop_ns();
  must(clFinish(p.queue), "clFinish");
  if (inside < 0 || inside > 1000000 || behind < 0 || behind > 1000000)
    fprintf(stderr, "a loop takes %lld ns in the callback and %lld ns behind it\n", inside, behind);
  clReleaseEvent(ended);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  program_close(&p);
  return inside < 0 || inside > 1000000 || behind < 0 || behind > 1000000;
}
