/* Shared virtual memory (OpenCL 2.0, section 5.6). Each allocation has a buffer on the same memory, which the layer
 * reads like one that the program has made with CL_MEM_USE_HOST_PTR. A pointer that becomes a kernel's argument counts
 * as a part of that buffer. Pointers that lie in memory cannot be followed: the emulator's buffers have other addresses
 * than the program's, so launches of kernels for which the program names such allocations are skipped. */
#include "tracegen/program/layer/wrappers.h"

#include <stdlib.h>

#include "tracegen/program/launch/log.h"

static bool lies_in(const struct memory_record *r, const void *pointer) {
  const uintptr_t start = (uintptr_t)r->shared, at = (uintptr_t)pointer;
  return r->shared && r->references > 0 && at >= start && at - start < r->bytes;
}

static struct memory_record *find(const void *pointer) {
  for (struct memory_record *r = memory_first(); r; r = r->next)
    if (!r->parent && lies_in(r, pointer))
      return r;
  return NULL;
}

/* Returns the part of an allocation from `pointer` to its end, a record that later arguments share. NULL: out
 * of memory. */
static struct memory_record *part_from(struct memory_record *root, const char *pointer) {
  const uint64_t offset = (uint64_t)(pointer - root->shared);
  if (offset == 0)
    return root;
  for (struct memory_record *r = memory_first(); r; r = r->next)
    if (r->parent == root && r->offset == offset)
      return r;
  struct memory_record *part = memory_add((cl_mem)(uintptr_t)pointer, root->bytes - offset, "buffer");
  if (!part)
    return NULL;
  part->parent = root;
  part->offset = offset;
  part->shared = pointer;
  memory_log(part, 0);
  return part;
}

static CL_API_ENTRY void *CL_API_CALL allocate(cl_context context, cl_svm_mem_flags flags, size_t size,
                                               cl_uint alignment) {
  void *start = below->clSVMAlloc(context, flags, size, alignment);
  cl_mem handle = start ? below->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, start, NULL) : NULL;
  records_lock();
  struct memory_record *r = handle ? memory_add(handle, size, "buffer") : NULL;
  if (r) {
    r->shared = start;
    r->is_shared = true;
    memory_log(r, CL_MEM_USE_HOST_PTR);
  }
  records_unlock();
  if (handle && !r)
    below->clReleaseMemObject(handle);
  return start;
}

static void forget(const void *pointer) {
  records_lock();
  struct memory_record *r = find(pointer);
  const cl_mem handle = r && r->shared == pointer ? r->handle : NULL;
  if (handle) {
    r->references = 0;
    log_line(json_pack("{s:s, s:I, s:f}", "event", "release", "id", (json_int_t)r->id, "at_s", log_clock()));
  }
  records_unlock();
  if (handle)
    below->clReleaseMemObject(handle);
}

static CL_API_ENTRY void CL_API_CALL release(cl_context context, void *pointer) {
  forget(pointer);
  below->clSVMFree(context, pointer);
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_release(cl_command_queue queue, cl_uint count, void *pointers[],
                                                       void(CL_CALLBACK *release_all)(cl_command_queue, cl_uint,
                                                                                      void *[], void *),
                                                       void *user, cl_uint wait_count, const cl_event *wait_list,
                                                       cl_event *event) {
  for (cl_uint i = 0; pointers && i < count; i++)
    forget(pointers[i]);
  return below->clEnqueueSVMFree(queue, count, pointers, release_all, user, wait_count, wait_list, event);
}

static void set(struct argument_record *a, const void *pointer) {
  struct memory_record *root = pointer ? find(pointer) : NULL;
  a->memory = root ? part_from(root, pointer) : NULL;
  a->state = !pointer ? ARGUMENT_NULL : a->memory ? ARGUMENT_MEMORY : ARGUMENT_OTHER;
  a->other = "a pointer to memory that clSVMAlloc has not given";
  a->size = sizeof pointer;
}

static CL_API_ENTRY cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, const void *pointer) {
  const cl_int status = below->clSetKernelArgSVMPointer(kernel, index, pointer);
  records_lock();
  struct kernel_record *r = status == CL_SUCCESS ? kernel_find(kernel) : NULL;
  if (r && index < MAX_ARGUMENTS)
    set(&r->arguments[index], pointer);
  records_unlock();
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL set_exec_info(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                                     const void *value) {
  const cl_int status = below->clSetKernelExecInfo(kernel, what, size, value);
  records_lock();
  struct kernel_record *r = status == CL_SUCCESS ? kernel_find(kernel) : NULL;
  if (r && what == CL_KERNEL_EXEC_INFO_SVM_PTRS)
    r->follows_pointers = size > 0;
  records_unlock();
  return status;
}

void wrap_shared_memory(cl_icd_dispatch *table) {
  table->clSVMAlloc = allocate;
  table->clSVMFree = release;
  table->clEnqueueSVMFree = enqueue_release;
  table->clSetKernelArgSVMPointer = set_argument;
  table->clSetKernelExecInfo = set_exec_info;
}
