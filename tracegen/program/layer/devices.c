/* Devices. Programs that ask for a GPU get the device that there is, and it says that it is a GPU, unless the program
 * has asked for a CPU. Its work-groups are no larger
 * than those of the GPU that the traces are for. */
#include "tracegen/program/layer/wrappers.h"

#include <stdatomic.h>
#include <string.h>

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

/* Lowers a size that the device has answered with to what the GPU takes. */
static void bound(size_t *sizes, size_t bytes) {
  const uint64_t most = launch_setting("REASSEMBLE_CAPTURE_WORK_GROUP", UINT64_MAX);
  for (size_t i = 0; i < bytes / sizeof *sizes; i++)
    if (sizes[i] > most)
      sizes[i] = (size_t)most;
}

/* Programs that keep binaries from run to run choose them by the driver's version: with one of its own, those of the
 * device itself are not loaded here, nor those of a capture there. */
static cl_int get_driver_version(cl_device_id device, size_t size, void *value, size_t *needed) {
  char text[256] = "";
  const cl_int status = below->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof text - 32, text, NULL);
  if (status != CL_SUCCESS)
    return below->clGetDeviceInfo(device, CL_DRIVER_VERSION, size, value, needed);
  strcat(text, " (reassemble)");
  return answer_text(text, size, value, needed);
}

static CL_API_ENTRY cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                                       void *value, size_t *needed) {
  if (what == CL_DRIVER_VERSION)
    return get_driver_version(device, size, value, needed);
  const cl_int status = below->clGetDeviceInfo(device, what, size, value, needed);
  if (status == CL_SUCCESS && what == CL_DEVICE_TYPE && value && !atomic_load(&asked_for_cpu)) {
    cl_device_type *type = value;
    *type = (*type & ~(cl_device_type)CL_DEVICE_TYPE_CPU) | CL_DEVICE_TYPE_GPU;
  }
  if (status == CL_SUCCESS && value && (what == CL_DEVICE_MAX_WORK_GROUP_SIZE || what == CL_DEVICE_MAX_WORK_ITEM_SIZES))
    bound(value, what == CL_DEVICE_MAX_WORK_GROUP_SIZE ? sizeof(size_t) : size);
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device,
                                                           cl_kernel_work_group_info what, size_t size, void *value,
                                                           size_t *needed) {
  const cl_int status = below->clGetKernelWorkGroupInfo(kernel, device, what, size, value, needed);
  if (status == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && value)
    bound(value, sizeof(size_t));
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
  table->clGetKernelWorkGroupInfo = get_work_group_info;
  table->clCreateContextFromType = create_context_from_type;
}
