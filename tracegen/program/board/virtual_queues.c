/* Queues, user events, and waiting. */
#include "tracegen/program/board/virtual_command.h"

#include "tracegen/program/timeline/timeline_actions.h"

static CL_API_ENTRY cl_int CL_API_CALL release(cl_command_queue queue) {
  cl_uint references = 0;
  if (below->clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL) ==
          CL_SUCCESS &&
      references == 1)
    virtual_queue_forget(queue);
  return captured.clReleaseCommandQueue(queue);
}

static CL_API_ENTRY cl_int CL_API_CALL finish(cl_command_queue queue) {
  virtual_enter();
  cl_int status = captured.clFinish(queue);
  if (status == CL_SUCCESS) {
    const uint32_t number = virtual_queue_number(queue);
    virtual_resolve();
    virtual_wait_as(&(struct action){.kind = ACTION_FINISH, .number = number});
    if (virtual_queue_has_failed(number))
      status = CL_OUT_OF_RESOURCES;
  }
  virtual_leave();
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL flush(cl_command_queue queue) {
  virtual_enter();
  const cl_int status = captured.clFlush(queue);
  virtual_leave();
  return status;
}

/* Markers and barriers. Of those without a list, `after_all` is true. */

static cl_int mark(cl_command_queue queue, bool barrier, cl_uint count, const cl_event *list, cl_event *event) {
  struct virtual_command c;
  cl_event own = NULL;
  virtual_command_begin(&c, COMMAND_MARKER, queue, 0, count, list, event);
  c.action.request.barrier = barrier;
  c.action.request.after_all = count == 0;
  cl_event *made = event ? event : &own;
  const cl_int status = barrier ? captured.clEnqueueBarrierWithWaitList(queue, count, list, made)
                                : captured.clEnqueueMarkerWithWaitList(queue, count, list, made);
  if (status == CL_SUCCESS && own)
    below->clReleaseEvent(own);
  return virtual_command_end(&c, status, CL_FALSE, event);
}

static CL_API_ENTRY cl_int CL_API_CALL marker_with_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                        cl_event *event) {
  return mark(queue, false, count, list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL barrier_with_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                         cl_event *event) {
  return mark(queue, true, count, list, event);
}

static CL_API_ENTRY cl_int CL_API_CALL marker(cl_command_queue queue, cl_event *event) {
  return mark(queue, false, 0, NULL, event);
}

static CL_API_ENTRY cl_int CL_API_CALL barrier(cl_command_queue queue) {
  return mark(queue, true, 0, NULL, NULL);
}

static CL_API_ENTRY cl_int CL_API_CALL wait_in_queue(cl_command_queue queue, cl_uint count, const cl_event *list) {
  return mark(queue, true, count, list, NULL);
}

static CL_API_ENTRY cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint count, const cl_mem *memories,
                                               cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *list,
                                               cl_event *event) {
  struct virtual_command c;
  uint64_t bytes = 0;
  size_t size = 0;
  for (cl_uint i = 0; memories && !(flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) && i < count; i++)
    if (below->clGetMemObjectInfo(memories[i], CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS)
      bytes += size;
  virtual_command_begin(&c, flags & CL_MIGRATE_MEM_OBJECT_HOST ? COMMAND_UNMAP : COMMAND_MAP, queue, bytes, wait_count,
                        list, event);
  return virtual_command_end(
      &c, captured.clEnqueueMigrateMemObjects(queue, count, memories, flags, wait_count, list, c.event), CL_FALSE,
      event);
}

void virtual_wrap_queues(cl_icd_dispatch *table) {
  table->clReleaseCommandQueue = release;
  table->clFinish = finish;
  table->clFlush = flush;
  table->clEnqueueMarkerWithWaitList = marker_with_list;
  table->clEnqueueBarrierWithWaitList = barrier_with_list;
  table->clEnqueueMarker = marker;
  table->clEnqueueBarrier = barrier;
  table->clEnqueueWaitForEvents = wait_in_queue;
  table->clEnqueueMigrateMemObjects = migrate;
}
