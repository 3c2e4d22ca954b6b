/* Commands that move the bytes of buffers. */
#include "tracegen/program/board/virtual_command.h"

static uint64_t volume(const size_t *region) {
  return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

static CL_API_ENTRY cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   size_t offset, size_t size, void *to, cl_uint count,
                                                   const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_READ, queue, size, count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, count, list, c.event), blocking,
      event);
}

static CL_API_ENTRY cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, const void *from, cl_uint count,
                                                    const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_WRITE, queue, size, count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, count, list, c.event), blocking,
      event);
}

static CL_API_ENTRY cl_int CL_API_CALL read_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                      const size_t *buffer_origin, const size_t *host_origin,
                                                      const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                      size_t host_row, size_t host_slice, void *to, cl_uint count,
                                                      const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_READ, queue, volume(region), count, list, event);
  return virtual_command_end(&c,
                             captured.clEnqueueReadBufferRect(queue, buffer, blocking, buffer_origin, host_origin,
                                                              region, buffer_row, buffer_slice, host_row, host_slice,
                                                              to, count, list, c.event),
                             blocking, event);
}

static CL_API_ENTRY cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                       const size_t *buffer_origin, const size_t *host_origin,
                                                       const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                       size_t host_row, size_t host_slice, const void *from,
                                                       cl_uint count, const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_WRITE, queue, volume(region), count, list, event);
  return virtual_command_end(&c,
                             captured.clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin,
                                                               region, buffer_row, buffer_slice, host_row, host_slice,
                                                               from, count, list, c.event),
                             blocking, event);
}

static CL_API_ENTRY cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                   size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                                   const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_FILL, queue, size, count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, count, list, c.event),
      CL_FALSE, event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                   size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                                                   cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_COPY, queue, size, count, list, event);
  return virtual_command_end(
      &c, captured.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, count, list, c.event), CL_FALSE,
      event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to,
                                                      const size_t *from_origin, const size_t *to_origin,
                                                      const size_t *region, size_t from_row, size_t from_slice,
                                                      size_t to_row, size_t to_slice, cl_uint count,
                                                      const cl_event *list, cl_event *event) {
  struct virtual_command c;
  virtual_command_begin(&c, COMMAND_COPY, queue, volume(region), count, list, event);
  return virtual_command_end(&c,
                             captured.clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row,
                                                              from_slice, to_row, to_slice, count, list, c.event),
                             CL_FALSE, event);
}

void virtual_wrap_transfers(cl_icd_dispatch *table) {
  table->clEnqueueReadBuffer = read_buffer;
  table->clEnqueueWriteBuffer = write_buffer;
  table->clEnqueueReadBufferRect = read_rectangle;
  table->clEnqueueWriteBufferRect = write_rectangle;
  table->clEnqueueFillBuffer = fill_buffer;
  table->clEnqueueCopyBuffer = copy_buffer;
  table->clEnqueueCopyBufferRect = copy_rectangle;
}
