/* The OpenCL layer in the same library (OPENCL_LAYERS names it): the job descriptors know no names of kernels, so the
 * emulator is told each launch that the program enqueues. */
#include <CL/cl_layer.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/bifrost/shim/emulator.h"

#define NAME_BYTES 1024

static struct _cl_icd_dispatch mine;
static const struct _cl_icd_dispatch *below;

/* "DIMENSIONS OFFSET_X OFFSET_Y OFFSET_Z KERNEL" */
static void tell(cl_kernel kernel, cl_uint dimensions, const size_t *offset) {
  char name[NAME_BYTES] = "", text[NAME_BYTES + 100];
  size_t o[3] = {0, 0, 0};
  for (cl_uint d = 0; offset && d < dimensions && d < 3; d++)
    o[d] = offset[d];
  below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  snprintf(text, sizeof text, "%u %zu %zu %zu %s", dimensions, o[0], o[1], o[2], name);
  emulator_tell_launch(text);
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                               const size_t *offset, const size_t *global, const size_t *local,
                                               cl_uint waits, const cl_event *wait_list, cl_event *event) {
  tell(kernel, dimensions, offset);
  return below->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (name != CL_LAYER_API_VERSION || (value && room < sizeof version))
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, &version, sizeof version);
  if (size)
    *size = sizeof version;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target,
                                            cl_uint *entries_out, const struct _cl_icd_dispatch **out) {
  const size_t bytes = entries * sizeof(void *);
  below = target;
  memcpy(&mine, target, bytes < sizeof mine ? bytes : sizeof mine);
  mine.clEnqueueNDRangeKernel = enqueue;
  *entries_out = sizeof mine / sizeof(void *);
  *out = &mine;
  return CL_SUCCESS;
}
