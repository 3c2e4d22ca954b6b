/* Devices. Programs that ask for a GPU get the device that there is, and it says that it is a GPU, unless the program
 * has asked for a CPU. */
#include "tracegen/program/layer/wrappers.h"

#include <stdatomic.h>

static atomic_bool asked_for_cpu;

static CL_API_ENTRY cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                                      cl_device_id *devices, cl_uint *count) {
  if (type == CL_DEVICE_TYPE_CPU)
    atomic_store(&asked_for_cpu, true);
  const cl_int status = below->clGetDeviceIDs(platform, type, entries, devices, count);
  if (status != CL_DEVICE_NOT_FOUND || !(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)))
    return status;
  return below->clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, entries, devices, count);
}

static CL_API_ENTRY cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                                       void *value, size_t *needed) {
  const cl_int status = below->clGetDeviceInfo(device, what, size, value, needed);
  if (status == CL_SUCCESS && what == CL_DEVICE_TYPE && value && !atomic_load(&asked_for_cpu)) {
    cl_device_type *type = value;
    *type = (*type & ~(cl_device_type)CL_DEVICE_TYPE_CPU) | CL_DEVICE_TYPE_GPU;
  }
  return status;
}

static CL_API_ENTRY cl_context CL_API_CALL create_context_from_type(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *status) {
  cl_int found = CL_SUCCESS;
  cl_context context = below->clCreateContextFromType(properties, type, notify, user, &found);
  if (found != CL_SUCCESS && (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)))
    context = below->clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, notify, user, &found);
  if (status)
    *status = found;
  return context;
}

void wrap_devices(cl_icd_dispatch *table) {
  table->clGetDeviceIDs = get_device_ids;
  table->clGetDeviceInfo = get_device_info;
  table->clCreateContextFromType = create_context_from_type;
}
