/* The functions of the OpenCL loader (libOpenCL.so.1) that measuring needs, looked up at run time.
 *
 * Errors: a missing loader or function names the package to install. Threads: open once, then read only. */
#ifndef MEASURE_OPENCL_API_H
#define MEASURE_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/error.h"

#define OPENCL_FUNCTIONS(X)                                                                                            \
  X(clGetPlatformIDs)                                                                                                  \
  X(clGetPlatformInfo)                                                                                                 \
  X(clGetDeviceIDs)                                                                                                    \
  X(clGetDeviceInfo)                                                                                                   \
  X(clCreateContext)                                                                                                   \
  X(clReleaseContext)                                                                                                  \
  X(clCreateCommandQueue)                                                                                              \
  X(clReleaseCommandQueue)                                                                                             \
  X(clCreateBuffer)                                                                                                    \
  X(clReleaseMemObject)                                                                                                \
  X(clEnqueueWriteBuffer)                                                                                              \
  X(clEnqueueReadBuffer)                                                                                               \
  X(clCreateImage)                                                                                                     \
  X(clEnqueueWriteImage)                                                                                               \
  X(clEnqueueReadImage)                                                                                                \
  X(clCreateSampler)                                                                                                   \
  X(clReleaseSampler)                                                                                                  \
  X(clCreateProgramWithSource)                                                                                         \
  X(clBuildProgram)                                                                                                    \
  X(clGetProgramBuildInfo)                                                                                             \
  X(clReleaseProgram)                                                                                                  \
  X(clCreateKernel)                                                                                                    \
  X(clReleaseKernel)                                                                                                   \
  X(clSetKernelArg)                                                                                                    \
  X(clEnqueueNDRangeKernel)                                                                                            \
  X(clFinish)                                                                                                          \
  X(clGetEventProfilingInfo)                                                                                           \
  X(clReleaseEvent)

struct opencl_api {
#define X(name) __typeof__(&name) name;
  OPENCL_FUNCTIONS(X)
#undef X
};

/* The loader stays open until the program ends. */
int opencl_api_open(struct opencl_api *api, struct error *error);

/* Returns 0 if `status` is CL_SUCCESS; else -1 with an error such as "clFinish failed: CL_OUT_OF_RESOURCES (-5)". */
int opencl_check(cl_int status, const char *call, struct error *error);

#endif
