/* Launches one kernel a thousand times, waits for each launch and adds up OpenCL's times, none of which may be 0. */
#include "program.h"

#include <stdio.h>

enum { COUNT = 4096, LAUNCHES = 1000 };

static const char source[] = "kernel void add(global float *a) {\n"
                             "  const int i = get_global_id(0);\n"
                             "  a[i] = a[i] * 0.5f + 1;\n"
                             "}\n";

static cl_ulong time_launch(const struct program *p, cl_kernel kernel) {
  const size_t global = COUNT, local = 64;
  cl_ulong start = 0, end = 0;
  cl_event event;
  must(clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event), "clEnqueueNDRangeKernel");
  must(clWaitForEvents(1, &event), "clWaitForEvents");
  must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "start");
  must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "end");
  must(clReleaseEvent(event), "clReleaseEvent");
  return end - start;
}

int main(void) {
  static float values[COUNT];
  struct program p;
  cl_ulong sum = 0;
  program_open(&p, CL_DEVICE_TYPE_GPU, CL_QUEUE_PROFILING_ENABLE, source, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  const cl_ulong first = time_launch(&p, kernel);
  for (int i = 1; i < LAUNCHES; i++)
    sum += time_launch(&p, kernel);
  program_read(&p, buffer, sizeof values, values);
  printf("%llu ns each, %llu ns for the others\n", (unsigned long long)first, (unsigned long long)sum);
  return first > 0 && sum == (LAUNCHES - 1) * first && values[0] > 1.99f ? 0 : 1;
}
