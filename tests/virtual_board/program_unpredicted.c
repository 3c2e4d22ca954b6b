/* Chooses the faster of two kernels by the clock, as an auto-tuner does, and skips a launch that fails. One of them may
 * execute more instructions than the emulation allows: its launch has no prediction, so it has to fail with
 * CL_OUT_OF_RESOURCES each time. Enqueued behind a user event it is accepted, and has to fail when the event is set.
 * With "group" as its argument the program makes one launch with work-groups of 384 instead, and asks for no time. */
#include <time.h>

#include "program.h"

static const char source[] = "kernel void light(global int *x) { x[get_global_id(0)] += 1; }\n"
                             "kernel void heavy(global int *x) {\n"
                             "  int sum = 0;\n"
                             "  for (int i = 0; i < 100000; i++) sum = sum * 5 + x[i & 63];\n"
                             "  x[get_global_id(0)] = sum;\n"
                             "}\n";

static void expect(cl_int found, cl_int wanted, const char *what) {
  if (found == wanted)
    return;
  printf("%s gives %d, expected %d\n", what, (int)found, (int)wanted);
  exit(1);
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static cl_int enqueue(const struct program *p, cl_kernel kernel, size_t global, const cl_event *after,
                      cl_event *event) {
  const size_t local = global;
  return clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global, &local, after != NULL, after, event);
}

/* Returns the time by the host's clock; negative: the launch failed. */
static double time_of(const struct program *p, cl_kernel kernel) {
  cl_event event = NULL;
  const double start = now_ns();
  const cl_int status = enqueue(p, kernel, 64, NULL, &event);
  if (status != CL_SUCCESS) {
    expect(status, CL_OUT_OF_RESOURCES, "the launch");
    expect(event != NULL, 0, "the event of a launch that failed");
    return -1;
  }
  must(clFinish(p->queue), "clFinish");
  clReleaseEvent(event);
  return now_ns() - start;
}

static void choose(const struct program *p, const cl_kernel kernels[2]) {
  static const char *const names[] = {"light", "heavy"};
  double fastest = -1;
  int chosen = -1;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 2; i++) {
      const double ns = time_of(p, kernels[i]);
      if (ns >= 0 && (fastest < 0 || ns < fastest)) {
        fastest = ns;
        chosen = i;
      }
    }
  printf("fastest: %s\n", chosen < 0 ? "none" : names[chosen]);
}

/* The size of the work-group is another one, so that nothing is known of the launch yet. */
static void fail_later(const struct program *p, cl_kernel heavy) {
  cl_int status, state = CL_QUEUED;
  cl_ulong ns;
  cl_event before = clCreateUserEvent(p->context, &status), event;
  must(status, "clCreateUserEvent");
  must(enqueue(p, heavy, 32, &before, &event), "clEnqueueNDRangeKernel behind a user event");
  must(clSetUserEventStatus(before, CL_COMPLETE), "clSetUserEventStatus");
  expect(clFinish(p->queue), CL_OUT_OF_RESOURCES, "clFinish");
  expect(clFinish(p->queue), CL_SUCCESS, "the second clFinish");
  expect(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "clWaitForEvents");
  must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL), "clGetEventInfo");
  expect(state, CL_OUT_OF_RESOURCES, "the state of the event");
  expect(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ns, &ns, NULL),
         CL_PROFILING_INFO_NOT_AVAILABLE, "clGetEventProfilingInfo");
  clReleaseEvent(event);
  clReleaseEvent(before);
}

int main(int argc, char **argv) {
  static int values[384];
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, CL_QUEUE_PROFILING_ENABLE, source, NULL);
  cl_mem x = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  const cl_kernel kernels[] = {program_kernel(&p, "light"), program_kernel(&p, "heavy")};
  program_set(kernels[0], 0, sizeof x, &x);
  program_set(kernels[1], 0, sizeof x, &x);
  if (argc > 1 && strcmp(argv[1], "group") == 0) {
    must(enqueue(&p, kernels[0], 384, NULL, NULL), "clEnqueueNDRangeKernel");
  } else {
    choose(&p, kernels);
    fail_later(&p, kernels[1]);
  }
  clReleaseKernel(kernels[0]);
  clReleaseKernel(kernels[1]);
  clReleaseMemObject(x);
  program_close(&p);
  return 0;
}
