#include "measure/opencl_api.h"

#include <dlfcn.h>
#include <string.h>

#include "base/opencl_status.h"

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

int opencl_check(cl_int status, const char *call, struct error *error) {
  return status == CL_SUCCESS ? 0 : error_set(error, ERROR_WORK, "%s failed: %s", call, OPENCL_STATUS(status));
}
