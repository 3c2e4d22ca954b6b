/* Kernels and their current arguments. */
#include "tracegen/program/layer/wrappers.h"

#include <stdlib.h>
#include <string.h>

static cl_kernel remember(cl_kernel handle) {
  char name[1024] = "";
  cl_uint count = 0;
  cl_program program = NULL;
  below->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  below->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  below->clGetKernelInfo(handle, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
  records_lock();
  struct kernel_record *r = kernel_add(handle, program_find(program), name, count);
  for (cl_uint i = 0; r && i < count && i < MAX_ARGUMENTS; i++)
    below->clGetKernelArgInfo(handle, i, CL_KERNEL_ARG_TYPE_NAME, sizeof r->arguments[i].type, r->arguments[i].type,
                              NULL);
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_kernel CL_API_CALL create(cl_program program, const char *name, cl_int *status) {
  const cl_kernel kernel = below->clCreateKernel(program, name, status);
  return kernel ? remember(kernel) : NULL;
}

static CL_API_ENTRY cl_int CL_API_CALL create_all(cl_program program, cl_uint entries, cl_kernel *kernels,
                                                  cl_uint *count) {
  cl_uint made = 0;
  const cl_int status = below->clCreateKernelsInProgram(program, entries, kernels, &made);
  for (cl_uint i = 0; status == CL_SUCCESS && kernels && i < made && i < entries; i++)
    remember(kernels[i]);
  if (count)
    *count = made;
  return status;
}

static CL_API_ENTRY cl_kernel CL_API_CALL clone(cl_kernel source, cl_int *status) {
  const cl_kernel kernel = below->clCloneKernel(source, status);
  if (!kernel)
    return NULL;
  remember(kernel);
  records_lock();
  const struct kernel_record *from = kernel_find(source);
  struct kernel_record *to = kernel_find(kernel);
  if (from && to) {
    memcpy(to->arguments, from->arguments, sizeof to->arguments);
    to->follows_pointers = from->follows_pointers;
  }
  records_unlock();
  return kernel;
}

static CL_API_ENTRY cl_int CL_API_CALL retain(cl_kernel kernel) {
  records_lock();
  struct kernel_record *r = kernel_find(kernel);
  if (r)
    r->references++;
  records_unlock();
  return below->clRetainKernel(kernel);
}

static CL_API_ENTRY cl_int CL_API_CALL release(cl_kernel kernel) {
  records_lock();
  struct kernel_record *r = kernel_find(kernel);
  if (r && --r->references == 0)
    kernel_remove(r);
  records_unlock();
  return below->clReleaseKernel(kernel);
}

static bool is_pointer(cl_kernel kernel, cl_uint index, cl_kernel_arg_address_qualifier *space) {
  const cl_int status =
      below->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof *space, space, NULL);
  return status != CL_SUCCESS || *space == CL_KERNEL_ARG_ADDRESS_GLOBAL || *space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

static bool set_sampler(struct argument_record *a, const void *value) {
  cl_sampler handle = NULL;
  if (strcmp(a->type, "sampler_t") != 0 || a->size != sizeof handle)
    return false;
  memcpy(&handle, value, sizeof handle);
  a->sampler = sampler_find(handle);
  a->state = a->sampler ? ARGUMENT_SAMPLER : ARGUMENT_OTHER;
  a->other = "a sampler that the layer has not seen";
  return true;
}

/* Finds out what the value is: a cl_mem, a null buffer or bytes. Where OpenCL does not tell the parameter's address
 * space, the value of a known cl_mem is taken for one. */
static void set_value(cl_kernel kernel, cl_uint index, struct argument_record *a, const void *value) {
  cl_kernel_arg_address_qualifier space = 0;
  cl_mem handle = NULL;
  if (set_sampler(a, value))
    return;
  const bool pointer = is_pointer(kernel, index, &space);
  if (a->size == sizeof handle)
    memcpy(&handle, value, sizeof handle);
  a->memory = pointer && handle ? memory_find(handle) : NULL;
  memcpy(a->value, value, a->size <= MAX_VALUE_BYTES ? a->size : 0);
  if (a->memory)
    a->state = ARGUMENT_MEMORY;
  else if (pointer && space)
    a->state = handle ? ARGUMENT_OTHER : ARGUMENT_NULL;
  else
    a->state = a->size <= MAX_VALUE_BYTES ? ARGUMENT_BYTES : ARGUMENT_OTHER;
  a->other =
      pointer && space ? "a memory object that is neither a buffer nor an image" : "a value of more than 1024 bytes";
}

static void set_null(cl_kernel kernel, cl_uint index, struct argument_record *a) {
  cl_kernel_arg_address_qualifier space = 0;
  a->state = is_pointer(kernel, index, &space) && space ? ARGUMENT_NULL : ARGUMENT_ROOM;
}

static CL_API_ENTRY cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  const cl_int status = below->clSetKernelArg(kernel, index, size, value);
  if (status != CL_SUCCESS)
    return status;
  records_lock();
  struct kernel_record *r = kernel_find(kernel);
  if (r && index < MAX_ARGUMENTS) {
    r->arguments[index].size = size;
    if (value)
      set_value(kernel, index, &r->arguments[index], value);
    else
      set_null(kernel, index, &r->arguments[index]);
  }
  records_unlock();
  return status;
}

void wrap_kernels(cl_icd_dispatch *table) {
  table->clCreateKernel = create;
  table->clCreateKernelsInProgram = create_all;
  table->clCloneKernel = clone;
  table->clRetainKernel = retain;
  table->clReleaseKernel = release;
  table->clSetKernelArg = set_argument;
}
