#include "measure/opencl_api.h"

#include <dlfcn.h>
#include <string.h>

int opencl_api_open(struct opencl_api *api, struct error *error) {
  static const char loader[] = "libOpenCL.so.1";
  void *library = dlopen(loader, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return error_set(
        error, ERROR_WORK,
        "no OpenCL on this machine (%s): install its loader and the device's driver; on Debian: apt-get install "
        "ocl-icd-libopencl1, and pocl-opencl-icd to try it on the CPU",
        dlerror());
  void *symbol;
#define X(name)                                                                                                        \
  symbol = dlsym(library, #name);                                                                                      \
  if (!symbol)                                                                                                         \
    return error_set(error, ERROR_WORK, "%s has no function " #name ": OpenCL 1.2 is needed", loader);                 \
  memcpy(&api->name, &symbol, sizeof symbol);
  OPENCL_FUNCTIONS(X)
#undef X
  return 0;
}

/* Returns the name of a status that a launch, a build or a buffer may fail with; others are shown as numbers. */
static const char *status_name(cl_int status) {
  static const struct {
    cl_int status;
    const char *name;
  } names[] = {
      {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
      {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
      {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
      {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
      {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
      {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
      {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
      {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
      {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
      {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (names[i].status == status)
      return names[i].name;
  return "OpenCL error";
}

int opencl_check(cl_int status, const char *call, struct error *error) {
  return status == CL_SUCCESS
             ? 0
             : error_set(error, ERROR_WORK, "%s failed: %s (%d)", call, status_name(status), (int)status);
}
