/* A program whose manifest is known: when it launches and waits, which buffers and images live how long, what a launch
 * without a work-group size gets. manifest_timeline.cmake holds the manifest against it. */
#include "program.h"

#include <time.h>

enum { COUNT = 4096, PART = 1024 };

static const char source[] = "kernel void add(global int *a, int c) {\n"
                             "  a[get_global_id(0) + get_global_size(0) * get_global_id(1)] += c;\n"
                             "}\n";

static void wait_ms(long ms) {
  const struct timespec pause = {.tv_nsec = ms * 1000000};
  nanosleep(&pause, NULL);
}

static void launch(const struct program *p, cl_mem buffer) {
  const cl_int one = 1;
  cl_kernel kernel = program_kernel(p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof one, &one);
  program_launch(p, kernel, PART, 64);
  must(clReleaseKernel(kernel), "clReleaseKernel");
}

static void launch_plane(const struct program *p, cl_mem buffer) {
  const cl_int two = 2;
  const size_t offset[] = {0, 1}, global[] = {24, 10};
  cl_kernel kernel = program_kernel(p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof two, &two);
  must(clEnqueueNDRangeKernel(p->queue, kernel, 2, offset, global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  must(clReleaseKernel(kernel), "clReleaseKernel");
}

int main(void) {
  static int values[COUNT];
  struct program p;
  cl_int status;
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
  const cl_buffer_region region = {PART * sizeof *values, PART * sizeof *values};
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem whole = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  must(status, "clCreateSubBuffer");
  launch(&p, whole);
  wait_ms(80);
  launch(&p, part);
  must(clReleaseMemObject(whole), "clReleaseMemObject"); /* lives on in its part */
  wait_ms(20);
  must(clReleaseMemObject(part), "clReleaseMemObject");
  wait_ms(40);
  cl_mem image = clCreateImage(p.context, 0, &format, &description, NULL, &status);
  must(status, "clCreateImage");
  cl_mem last = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  launch_plane(&p, last);
  program_read(&p, last, sizeof values, values);
  must(clReleaseMemObject(image), "clReleaseMemObject");
  if (values[23] != 0 || values[24] != 2 || values[24 * 11 - 1] != 2 || values[24 * 11] != 0)
    return 1;
  return 0; /* `last` is never released */
}
