/* The calls of a program that write to buffers.
 *
 * Each write is noted twice. Before the call, the bytes count as initialised, because another thread may launch
 * meanwhile. Behind it, the write counts again, because a launch of another thread may have noted the first count, and
 * read the buffer, before OpenCL had the command. */
#include "tracegen/program/layer/wrappers.h"

#include "tracegen/program/launch/describe.h"
#include "tracegen/program/launch/initialised_bytes.h"

static void note(cl_mem handle, uint64_t offset, uint64_t bytes) {
  records_lock();
  initialised_range(memory_find(handle), offset, bytes);
  records_unlock();
}

static void note_all(cl_mem handle) {
  note(handle, 0, UINT64_MAX);
}

/* Returns `status`. `mappings`: how many more regions of the buffer are mapped now. */
static cl_int note_again(cl_mem handle, int mappings, cl_int status) {
  records_lock();
  struct memory_record *r = memory_find(handle);
  if (r) {
    whole_buffer(r)->writes++;
    if (mappings > 0 || whole_buffer(r)->mappings > 0)
      whole_buffer(r)->mappings += (unsigned)mappings;
  }
  records_unlock();
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, const void *from, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event) {
  note(buffer, offset, size);
  return note_again(
      buffer, 0,
      below->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, wait_count, wait_list, event));
}

/* The whole buffer counts as initialised: programs seldom leave out the rest of the rows for good. */
static CL_API_ENTRY cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                       const size_t *buffer_origin, const size_t *host_origin,
                                                       const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                       size_t host_row, size_t host_slice, const void *from,
                                                       cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  note_all(buffer);
  return note_again(buffer, 0,
                    below->clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region,
                                                    buffer_row, buffer_slice, host_row, host_slice, from, wait_count,
                                                    wait_list, event));
}

static CL_API_ENTRY cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                   size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                                   const cl_event *wait_list, cl_event *event) {
  note(buffer, offset, size);
  return note_again(
      buffer, 0,
      below->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, wait_count, wait_list, event));
}

static CL_API_ENTRY cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                   size_t to_offset, size_t size, cl_uint wait_count,
                                                   const cl_event *wait_list, cl_event *event) {
  note(to, to_offset, size);
  return note_again(
      to, 0, below->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, wait_count, wait_list, event));
}

static CL_API_ENTRY cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to,
                                                      const size_t *from_origin, const size_t *to_origin,
                                                      const size_t *region, size_t from_row, size_t from_slice,
                                                      size_t to_row, size_t to_slice, cl_uint wait_count,
                                                      const cl_event *wait_list, cl_event *event) {
  note_all(to);
  return note_again(to, 0,
                    below->clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row,
                                                   from_slice, to_row, to_slice, wait_count, wait_list, event));
}

static CL_API_ENTRY cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem image, cl_mem to, const size_t *origin,
                                                  const size_t *region, size_t offset, cl_uint wait_count,
                                                  const cl_event *wait_list, cl_event *event) {
  note_all(to);
  return note_again(
      to, 0, below->clEnqueueCopyImageToBuffer(queue, image, to, origin, region, offset, wait_count, wait_list, event));
}

static CL_API_ENTRY void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                                 const cl_event *wait_list, cl_event *event, cl_int *status) {
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    note(buffer, offset, size);
  void *region =
      below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count, wait_list, event, status);
  note_again(buffer, region ? 1 : 0, CL_SUCCESS);
  return region;
}

/* Also called for regions of images, whose mappings do not count. */
static CL_API_ENTRY cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void *region, cl_uint wait_count,
                                             const cl_event *wait_list, cl_event *event) {
  return note_again(memory, -1, below->clEnqueueUnmapMemObject(queue, memory, region, wait_count, wait_list, event));
}

/* A function that the program calls through such an address bypasses the layer and may write to any buffer. */
static void share_everything(void) {
  records_lock();
  memories_are_shared();
  records_unlock();
}

static CL_API_ENTRY void *CL_API_CALL extension_address(const char *name) {
  share_everything();
  return below->clGetExtensionFunctionAddress(name);
}

static CL_API_ENTRY void *CL_API_CALL extension_address_of(cl_platform_id platform, const char *name) {
  share_everything();
  return below->clGetExtensionFunctionAddressForPlatform(platform, name);
}

static CL_API_ENTRY cl_int CL_API_CALL native_kernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                     void *arguments, size_t bytes, cl_uint count,
                                                     const cl_mem *memories, const void **places, cl_uint wait_count,
                                                     const cl_event *wait_list, cl_event *event) {
  for (cl_uint i = 0; memories && i < count; i++)
    note_all(memories[i]);
  const cl_int status = below->clEnqueueNativeKernel(queue, function, arguments, bytes, count, memories, places,
                                                     wait_count, wait_list, event);
  for (cl_uint i = 0; memories && i < count; i++)
    note_again(memories[i], 0, status);
  return status;
}

void wrap_writes(cl_icd_dispatch *table) {
  table->clEnqueueWriteBuffer = write_buffer;
  table->clEnqueueWriteBufferRect = write_rectangle;
  table->clEnqueueFillBuffer = fill_buffer;
  table->clEnqueueCopyBuffer = copy_buffer;
  table->clEnqueueCopyBufferRect = copy_rectangle;
  table->clEnqueueCopyImageToBuffer = copy_image;
  table->clEnqueueMapBuffer = map_buffer;
  table->clEnqueueUnmapMemObject = unmap;
  table->clEnqueueNativeKernel = native_kernel;
  table->clGetExtensionFunctionAddress = extension_address;
  table->clGetExtensionFunctionAddressForPlatform = extension_address_of;
}
