/* The answers of the platform and the device to queries: those of the GPU file, and for the rest those of
 * OpenCL 1.2 on the device of this machine. */
#include "tracegen/program/board/virtual_board.h"

#include <stdio.h>
#include <string.h>

#define VERSION "OpenCL 1.2 reassemble"

/* Extensions that the emulator executes. That of double precision comes last. */
static const char *const extensions[] = {"cl_khr_byte_addressable_store",        "cl_khr_global_int32_base_atomics",
                                         "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
                                         "cl_khr_local_int32_extended_atomics",  "cl_khr_fp64"};

static const struct virtual_settings *board;

cl_int virtual_answer(const void *from, size_t bytes, size_t size, void *value, size_t *needed) {
  if (value && size < bytes)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, from, bytes);
  if (needed)
    *needed = bytes;
  return CL_SUCCESS;
}

/* The answer to a query, with the room that the program gave for it. */
struct device_answer {
  const void *from;
  size_t bytes;
  cl_uint number;
  cl_ulong large;
  size_t sizes[3];
  char text[512];
};

static bool give_number(struct device_answer *a, int64_t value) {
  a->number = (cl_uint)value;
  a->from = &a->number;
  a->bytes = sizeof a->number;
  return true;
}

static bool give_large(struct device_answer *a, uint64_t value) {
  a->large = value;
  a->from = &a->large;
  a->bytes = sizeof a->large;
  return true;
}

static bool give_size(struct device_answer *a, size_t value) {
  a->sizes[0] = value;
  a->from = a->sizes;
  a->bytes = sizeof *a->sizes;
  return true;
}

static bool give_text(struct device_answer *a, const char *text) {
  snprintf(a->text, sizeof a->text, "%s", text);
  a->from = a->text;
  a->bytes = strlen(a->text) + 1;
  return true;
}

static bool give_extensions(struct device_answer *a) {
  const size_t count = sizeof extensions / sizeof *extensions - !board->double_precision;
  char text[sizeof a->text] = "";
  for (size_t i = 0; i < count; i++)
    strcat(strcat(text, i > 0 ? " " : ""), extensions[i]);
  return give_text(a, text);
}

static bool give_group(struct device_answer *a, cl_device_info what) {
  for (size_t d = 0; d < 3; d++)
    a->sizes[d] = (size_t)board->max_work_group;
  a->from = a->sizes;
  a->bytes = what == CL_DEVICE_MAX_WORK_GROUP_SIZE ? sizeof *a->sizes : sizeof a->sizes;
  return true;
}

static bool give_floats(struct device_answer *a, cl_device_info what) {
  if (board->double_precision)
    return false; /* as below */
  return what == CL_DEVICE_DOUBLE_FP_CONFIG ? give_large(a, 0) : give_number(a, 0);
}

static bool find_text(cl_device_info what, struct device_answer *a) {
  switch (what) {
  case CL_DEVICE_NAME:
    return give_text(a, board->name);
  case CL_DEVICE_VENDOR:
    return give_text(a, "reassemble");
  case CL_DEVICE_VERSION:
    return give_text(a, VERSION);
  case CL_DEVICE_OPENCL_C_VERSION:
    return give_text(a, "OpenCL C 1.2 reassemble");
  case CL_DRIVER_VERSION:
    return give_text(a, "1.2");
  case CL_DEVICE_EXTENSIONS:
    return give_extensions(a);
  default:
    return false;
  }
}

static bool find_memory(cl_device_info what, struct device_answer *a) {
  switch (what) {
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return give_large(a, (uint64_t)board->device_memory_bytes);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return give_large(a, (uint64_t)board->device_memory_bytes / 4);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return give_large(a, (uint64_t)board->cache_bytes);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return give_number(a, board->line_bytes);
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return give_large(a, (uint64_t)board->local_memory_bytes);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return give_number(a, board->local_in_core ? CL_LOCAL : CL_GLOBAL);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return give_number(a, board->costs.shared_memory);
  default:
    return false;
  }
}

static bool find_shape(cl_device_info what, struct device_answer *a) {
  switch (what) {
  case CL_DEVICE_TYPE:
    return give_large(a, CL_DEVICE_TYPE_GPU);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return give_number(a, board->cores);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return give_number(a, board->clock_hz / 1000000);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return give_group(a, what);
  case CL_DEVICE_DOUBLE_FP_CONFIG:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    return give_floats(a, what);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return give_size(a, 1); /* nanosecond */
  default:
    return false;
  }
}

/* Returns whether the described GPU answers this question. */
static bool find_answer(cl_device_info what, struct device_answer *a) {
  return find_text(what, a) || find_memory(what, a) || find_shape(what, a);
}

static CL_API_ENTRY cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                                       void *value, size_t *needed) {
  struct device_answer a = {0};
  const cl_int status = captured.clGetDeviceInfo(device, what, 0, NULL, NULL);
  if (status == CL_INVALID_DEVICE || !find_answer(what, &a))
    return captured.clGetDeviceInfo(device, what, size, value, needed);
  return virtual_answer(a.from, a.bytes, size, value, needed);
}

static CL_API_ENTRY cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info what, size_t size,
                                                         void *value, size_t *needed) {
  struct device_answer a = {0};
  if (what == CL_PLATFORM_NAME || what == CL_PLATFORM_VENDOR)
    give_text(&a, "reassemble");
  else if (what == CL_PLATFORM_VERSION)
    give_text(&a, VERSION);
  else if (what == CL_PLATFORM_EXTENSIONS)
    give_extensions(&a);
  else
    return captured.clGetPlatformInfo(platform, what, size, value, needed);
  return virtual_answer(a.from, a.bytes, size, value, needed);
}

/* There is one device, a GPU. */
static CL_API_ENTRY cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                                      cl_device_id *devices, cl_uint *count) {
  const cl_device_type kinds = CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT;
  if (type != CL_DEVICE_TYPE_ALL && !(type & kinds))
    return CL_DEVICE_NOT_FOUND;
  if (devices && entries == 0)
    return CL_INVALID_VALUE;
  virtual_enter();
  const cl_int status = below->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices ? 1 : 0, devices, count);
  virtual_leave();
  if (status == CL_SUCCESS && count)
    *count = 1;
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device,
                                                           cl_kernel_work_group_info what, size_t size, void *value,
                                                           size_t *needed) {
  const size_t most = (size_t)board->max_work_group, warp = (size_t)board->warp_size;
  if (what == CL_KERNEL_WORK_GROUP_SIZE)
    return virtual_answer(&most, sizeof most, size, value, needed);
  if (what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    return virtual_answer(&warp, sizeof warp, size, value, needed);
  return captured.clGetKernelWorkGroupInfo(kernel, device, what, size, value, needed);
}

void virtual_wrap_device(cl_icd_dispatch *table, const struct virtual_settings *settings) {
  board = settings;
  table->clGetDeviceInfo = get_device_info;
  table->clGetPlatformInfo = get_platform_info;
  table->clGetDeviceIDs = get_device_ids;
  table->clGetKernelWorkGroupInfo = get_work_group_info;
}
