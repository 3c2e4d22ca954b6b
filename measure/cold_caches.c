#include "measure/cold_caches.h"

/* Four to five times the largest L2 of today's GPUs (50 MB of an H200), or an eighth of a small device's memory. */
#define MOST_BYTES ((size_t)256 << 20)

enum { ITEMS = 65536, ITEM_BYTES = 16, GROUP = 64 };

static const char source[] = "kernel void read_all(global const int4 *data, global int *sums, uint vectors) {\n"
                             "  int4 sum = 0;\n"
                             "  for (uint i = get_global_id(0); i < vectors; i += get_global_size(0)) sum |= data[i];\n"
                             "  sums[get_global_id(0)] = sum.x | sum.y | sum.z | sum.w;\n"
                             "}\n";

static size_t data_bytes(const struct device *device) {
  const size_t most = device->global_bytes / 8 < MOST_BYTES ? (size_t)device->global_bytes / 8 : MOST_BYTES;
  return most > (size_t)ITEMS * ITEM_BYTES ? most & ~(size_t)(ITEM_BYTES - 1) : (size_t)ITEMS * ITEM_BYTES;
}

static int make_buffers(struct cold_caches *cold, const struct opencl_api *api, size_t bytes, cl_context context,
                        struct error *error) {
  cl_int status;
  cold->data = api->clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  if (opencl_check(status, "clCreateBuffer", error) != 0)
    return -1;
  cold->sums = api->clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &status);
  return opencl_check(status, "clCreateBuffer", error);
}

static int make_kernel(struct cold_caches *cold, const struct opencl_api *api, const struct device *device,
                       cl_context context, struct error *error) {
  const char *text = source;
  const size_t length = sizeof source - 1;
  cl_int status;
  cold->program = api->clCreateProgramWithSource(context, 1, &text, &length, &status);
  if (opencl_check(status, "clCreateProgramWithSource", error) != 0 ||
      opencl_check(api->clBuildProgram(cold->program, 1, &device->id, "", NULL, NULL), "clBuildProgram", error) != 0)
    return -1;
  cold->kernel = api->clCreateKernel(cold->program, "read_all", &status);
  return opencl_check(status, "clCreateKernel", error);
}

int cold_caches_make(struct cold_caches *cold, const struct opencl_api *api, const struct device *device,
                     cl_context context, struct error *error) {
  const size_t bytes = data_bytes(device);
  const cl_uint vectors = (cl_uint)(bytes / ITEM_BYTES);
  if (make_buffers(cold, api, bytes, context, error) != 0 || make_kernel(cold, api, device, context, error) != 0 ||
      opencl_check(api->clSetKernelArg(cold->kernel, 0, sizeof cold->data, &cold->data), "clSetKernelArg", error) !=
          0 ||
      opencl_check(api->clSetKernelArg(cold->kernel, 1, sizeof cold->sums, &cold->sums), "clSetKernelArg", error) != 0)
    return -1;
  return opencl_check(api->clSetKernelArg(cold->kernel, 2, sizeof vectors, &vectors), "clSetKernelArg", error);
}

int cold_caches_read(const struct cold_caches *cold, const struct opencl_api *api, cl_command_queue queue,
                     struct error *error) {
  const size_t global = ITEMS, local = GROUP;
  if (opencl_check(api->clEnqueueNDRangeKernel(queue, cold->kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                   "clEnqueueNDRangeKernel", error) != 0)
    return -1;
  return opencl_check(api->clFinish(queue), "clFinish", error);
}

void cold_caches_release(struct cold_caches *cold, const struct opencl_api *api) {
  if (cold->kernel)
    api->clReleaseKernel(cold->kernel);
  if (cold->program)
    api->clReleaseProgram(cold->program);
  if (cold->data)
    api->clReleaseMemObject(cold->data);
  if (cold->sums)
    api->clReleaseMemObject(cold->sums);
  *cold = (struct cold_caches){.data = NULL};
}
