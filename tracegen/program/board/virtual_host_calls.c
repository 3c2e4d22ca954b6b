/* Calls that enqueue nothing: contexts, programs and memory. A driver compiles on the host, so the time of builds
 * passes like that of the program's own code; the others take no simulated time, however long they take on this
 * machine. Buffers that the described GPU has no room for are refused as by a board. */
#include "tracegen/program/board/virtual_board.h"

#include <stdlib.h>

#include "tracegen/program/board/virtual_precision.h"

static const struct virtual_settings *board;

static CL_API_ENTRY cl_context CL_API_CALL
create_context(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
               void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *status) {
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_context context = captured.clCreateContext(properties, count, devices, notify, user, status);
  virtual_work_end(start, false);
  virtual_leave();
  return context;
}

static CL_API_ENTRY cl_context CL_API_CALL create_context_from_type(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *status) {
  cl_device_type wanted = board->described ? CL_DEVICE_TYPE_ALL : type;
  if (board->described && type != CL_DEVICE_TYPE_ALL && !(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
    wanted = CL_DEVICE_TYPE_CUSTOM; /* there is none */
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_context context = below->clCreateContextFromType(properties, wanted, notify, user, status);
  virtual_work_end(start, false);
  virtual_leave();
  return context;
}

static CL_API_ENTRY cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                                             const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                             void *user) {
  char *own = virtual_precision_options(options);
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_int status = captured.clBuildProgram(program, count, devices, own ? own : options, notify, user);
  virtual_work_end(start, true);
  virtual_leave();
  free(own);
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL compile(cl_program program, cl_uint device_count, const cl_device_id *devices,
                                               const char *options, cl_uint header_count, const cl_program *headers,
                                               const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *user) {
  char *own = virtual_precision_options(options);
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_int status = captured.clCompileProgram(program, device_count, devices, own ? own : options, header_count,
                                                  headers, names, notify, user);
  virtual_work_end(start, true);
  virtual_leave();
  free(own);
  return status;
}

static CL_API_ENTRY cl_program CL_API_CALL link_program(cl_context context, cl_uint device_count,
                                                        const cl_device_id *devices, const char *options, cl_uint count,
                                                        const cl_program *programs,
                                                        void(CL_CALLBACK *notify)(cl_program, void *), void *user,
                                                        cl_int *status) {
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_program program =
      captured.clLinkProgram(context, device_count, devices, options, count, programs, notify, user, status);
  virtual_work_end(start, true);
  virtual_leave();
  return program;
}

static CL_API_ENTRY cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *status) {
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_kernel kernel = captured.clCreateKernel(program, name, status);
  virtual_work_end(start, false);
  virtual_leave();
  return kernel;
}

/* Returns the bytes of all memory objects that the program has not released. */
static uint64_t bytes_in_use(void) {
  uint64_t bytes = 0;
  records_lock();
  for (const struct memory_record *r = memory_first(); r; r = r->next)
    if (r->references > 0 && !r->parent)
      bytes += r->bytes;
  records_unlock();
  return bytes;
}

static cl_mem refuse(cl_int error, cl_int *status) {
  if (status)
    *status = error;
  return NULL;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                                     cl_int *status) {
  const uint64_t room = (uint64_t)board->device_memory_bytes;
  if (board->described && size > room / 4)
    return refuse(CL_INVALID_BUFFER_SIZE, status);
  if (board->described && bytes_in_use() + size > room)
    return refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, status);
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_mem buffer = captured.clCreateBuffer(context, flags, size, host, status);
  virtual_work_end(start, false);
  virtual_leave();
  return buffer;
}

void virtual_wrap_host_calls(cl_icd_dispatch *table, const struct virtual_settings *settings) {
  board = settings;
  table->clCreateContext = create_context;
  table->clCreateContextFromType = create_context_from_type;
  table->clBuildProgram = build;
  table->clCompileProgram = compile;
  table->clLinkProgram = link_program;
  table->clCreateKernel = create_kernel;
  table->clCreateBuffer = create_buffer;
}
