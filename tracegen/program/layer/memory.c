/* Buffers and sub-buffers, and the references to each cl_mem. */
#include "tracegen/program/layer/wrappers.h"

#include "tracegen/program/launch/describe.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/initialised_bytes.h"

/* The layer reads memory with clEnqueueReadBuffer and clEnqueueReadImage, which these flags forbid. The flags are
 * promises of the program and change nothing that it computes. */
cl_mem_flags memory_readable(cl_mem_flags flags) {
  return flags & ~(cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
}

void memory_log(const struct memory_record *r, cl_mem_flags flags) {
  json_t *line = json_pack("{s:s, s:I, s:s, s:I, s:I, s:f}", "event", "memory", "id", (json_int_t)r->id, "kind",
                           r->kind, "bytes", (json_int_t)r->bytes, "flags", (json_int_t)flags, "at_s", log_clock());
  if (line && r->parent) {
    json_object_set_new(line, "parent", json_integer((json_int_t)r->parent->id));
    json_object_set_new(line, "offset", json_integer((json_int_t)r->offset));
  }
  if (line && r->region[0] > 0)
    describe_sizes(r, line);
  log_line(line);
}

static cl_mem remember(cl_mem handle, uint64_t bytes, cl_mem_flags flags) {
  if (!handle)
    return NULL;
  records_lock();
  struct memory_record *r = memory_add(handle, bytes, "buffer");
  if (r && !(flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)))
    initialised_none(r);
  if (r) {
    r->is_shared |= (flags & CL_MEM_USE_HOST_PTR) != 0;
    memory_log(r, flags);
  }
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                                     cl_int *status) {
  return remember(below->clCreateBuffer(context, memory_readable(flags), size, host, status), size, flags);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer_with_properties(cl_context context,
                                                                     const cl_mem_properties *properties,
                                                                     cl_mem_flags flags, size_t size, void *host,
                                                                     cl_int *status) {
  return remember(below->clCreateBufferWithProperties(context, properties, memory_readable(flags), size, host, status),
                  size, flags);
}

static CL_API_ENTRY cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                                         const void *info, cl_int *status) {
  const cl_mem handle = below->clCreateSubBuffer(buffer, memory_readable(flags), type, info, status);
  if (!handle || type != CL_BUFFER_CREATE_TYPE_REGION)
    return handle;
  const cl_buffer_region *region = info;
  records_lock();
  struct memory_record *parent = memory_find(buffer);
  struct memory_record *r = parent ? memory_add(handle, region->size, "buffer") : NULL;
  if (r) {
    r->parent = parent;
    r->offset = region->origin;
    parent->references++; /* it lives as long as its part */
    memory_log(r, flags);
  }
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_int CL_API_CALL retain(cl_mem handle) {
  const cl_int status = below->clRetainMemObject(handle);
  records_lock();
  struct memory_record *r = status == CL_SUCCESS ? memory_find(handle) : NULL;
  if (r)
    r->references++;
  records_unlock();
  return status;
}

static void release_record(struct memory_record *r) {
  if (!r || r->references == 0 || --r->references > 0)
    return;
  log_line(json_pack("{s:s, s:I, s:f}", "event", "release", "id", (json_int_t)r->id, "at_s", log_clock()));
  release_record(r->parent);
}

static CL_API_ENTRY cl_int CL_API_CALL release(cl_mem handle) {
  records_lock();
  release_record(memory_find(handle));
  records_unlock();
  return below->clReleaseMemObject(handle);
}

void wrap_memory(cl_icd_dispatch *table) {
  table->clCreateBuffer = create_buffer;
  table->clCreateBufferWithProperties = create_buffer_with_properties;
  table->clCreateSubBuffer = create_sub_buffer;
  table->clRetainMemObject = retain;
  table->clReleaseMemObject = release;
}
