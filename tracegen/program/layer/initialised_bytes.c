#include "tracegen/program/layer/initialised_bytes.h"

#include <stdatomic.h>
#include <string.h>

#include "tracegen/program/layer/wrappers.h"

void initialised_none(struct memory_record *buffer) {
  buffer->gaps[0] = (struct memory_gap){.start = 0, .end = buffer->bytes};
  buffer->gap_count = buffer->bytes > 0;
}

/* Cuts the bytes [start, end) out of the gaps. Where that gives more gaps than there is room for, none is left. */
static void cut(struct memory_record *buffer, uint64_t start, uint64_t end) {
  struct memory_gap left[2 * MAX_GAPS];
  unsigned count = 0;
  for (unsigned i = 0; i < buffer->gap_count; i++) {
    const struct memory_gap *gap = &buffer->gaps[i];
    if (gap->start < start)
      left[count++] = (struct memory_gap){gap->start, gap->end < start ? gap->end : start};
    if (gap->end > end)
      left[count++] = (struct memory_gap){gap->start > end ? gap->start : end, gap->end};
  }
  buffer->gap_count = count <= MAX_GAPS ? count : 0;
  memcpy(buffer->gaps, left, buffer->gap_count * sizeof *left);
}

void initialised_range(struct memory_record *buffer, uint64_t offset, uint64_t bytes) {
  if (buffer && buffer->parent) {
    offset += buffer->offset;
    buffer = buffer->parent;
  }
  if (buffer && buffer->gap_count > 0 && bytes > 0)
    cut(buffer, offset, offset + bytes < offset ? UINT64_MAX : offset + bytes);
}

void initialised_all(struct memory_record *buffer) {
  if (buffer)
    initialised_range(buffer, 0, buffer->bytes);
}

void initialised_everything(void) {
  for (struct memory_record *r = memory_first(); r; r = r->next)
    initialised_all(r);
}

json_t *initialised_gaps(const struct memory_record *buffer) {
  json_t *list = buffer->gap_count > 0 ? json_array() : NULL;
  for (unsigned i = 0; list && i < buffer->gap_count; i++)
    json_array_append_new(list, json_pack("[I, I]", (json_int_t)buffer->gaps[i].start,
                                          (json_int_t)(buffer->gaps[i].end - buffer->gaps[i].start)));
  return list;
}

/* The wrapped calls. Bytes count as initialised before the call is made, because another thread may launch
 * meanwhile. */

static void note(cl_mem handle, uint64_t offset, uint64_t bytes) {
  records_lock();
  initialised_range(memory_find(handle), offset, bytes);
  records_unlock();
}

static void note_all(cl_mem handle) {
  note(handle, 0, UINT64_MAX);
}

static CL_API_ENTRY cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, const void *from, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event) {
  note(buffer, offset, size);
  return below->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, wait_count, wait_list, event);
}

/* The whole buffer counts as initialised: programs seldom leave out the rest of the rows for good. */
static CL_API_ENTRY cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                       const size_t *buffer_origin, const size_t *host_origin,
                                                       const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                       size_t host_row, size_t host_slice, const void *from,
                                                       cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  note_all(buffer);
  return below->clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row,
                                         buffer_slice, host_row, host_slice, from, wait_count, wait_list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                   size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                                   const cl_event *wait_list, cl_event *event) {
  note(buffer, offset, size);
  return below->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, wait_count, wait_list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                   size_t to_offset, size_t size, cl_uint wait_count,
                                                   const cl_event *wait_list, cl_event *event) {
  note(to, to_offset, size);
  return below->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, wait_count, wait_list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to,
                                                      const size_t *from_origin, const size_t *to_origin,
                                                      const size_t *region, size_t from_row, size_t from_slice,
                                                      size_t to_row, size_t to_slice, cl_uint wait_count,
                                                      const cl_event *wait_list, cl_event *event) {
  note_all(to);
  return below->clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,
                                        to_slice, wait_count, wait_list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem image, cl_mem to, const size_t *origin,
                                                  const size_t *region, size_t offset, cl_uint wait_count,
                                                  const cl_event *wait_list, cl_event *event) {
  note_all(to);
  return below->clEnqueueCopyImageToBuffer(queue, image, to, origin, region, offset, wait_count, wait_list, event);
}

static CL_API_ENTRY void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                                 const cl_event *wait_list, cl_event *event, cl_int *status) {
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    note(buffer, offset, size);
  return below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count, wait_list, event, status);
}

static CL_API_ENTRY cl_int CL_API_CALL native_kernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                     void *arguments, size_t bytes, cl_uint count,
                                                     const cl_mem *memories, const void **places, cl_uint wait_count,
                                                     const cl_event *wait_list, cl_event *event) {
  for (cl_uint i = 0; memories && i < count; i++)
    note_all(memories[i]);
  return below->clEnqueueNativeKernel(queue, function, arguments, bytes, count, memories, places, wait_count, wait_list,
                                      event);
}

void wrap_writes(cl_icd_dispatch *table) {
  table->clEnqueueWriteBuffer = write_buffer;
  table->clEnqueueWriteBufferRect = write_rectangle;
  table->clEnqueueFillBuffer = fill_buffer;
  table->clEnqueueCopyBuffer = copy_buffer;
  table->clEnqueueCopyBufferRect = copy_rectangle;
  table->clEnqueueCopyImageToBuffer = copy_image;
  table->clEnqueueMapBuffer = map_buffer;
  table->clEnqueueNativeKernel = native_kernel;
}
