/* Queues, launches, and the user events that may defer them. */
#include "tracegen/program/layer/wrappers.h"

#include "tracegen/program/launch/deferred_launch.h"

static cl_command_queue remember(cl_command_queue handle, cl_context context) {
  if (!handle)
    return NULL;
  records_lock();
  queue_add(handle, context);
  records_unlock();
  return handle;
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create(cl_context context, cl_device_id device,
                                                        cl_command_queue_properties properties, cl_int *status) {
  return remember(below->clCreateCommandQueue(context, device, properties, status), context);
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create_with_properties(cl_context context, cl_device_id device,
                                                                        const cl_queue_properties *properties,
                                                                        cl_int *status) {
  return remember(below->clCreateCommandQueueWithProperties(context, device, properties, status), context);
}

static void count_reference(cl_command_queue handle, bool more) {
  records_lock();
  struct queue_record *r = queue_find(handle);
  if (r && (more || r->references > 0))
    r->references += more ? 1u : -1u;
  records_unlock();
}

static CL_API_ENTRY cl_int CL_API_CALL retain(cl_command_queue handle) {
  count_reference(handle, true);
  return below->clRetainCommandQueue(handle);
}

static CL_API_ENTRY cl_int CL_API_CALL release(cl_command_queue handle) {
  count_reference(handle, false);
  return below->clReleaseCommandQueue(handle);
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                     const size_t *offset, const size_t *global, const size_t *local,
                                                     cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  const struct launch launch = {queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event};
  return launch_run(&launch);
}

static CL_API_ENTRY cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event) {
  static const size_t one = 1;
  const struct launch launch = {queue, kernel, 1, NULL, &one, &one, wait_count, wait_list, event};
  return launch_run(&launch);
}

static CL_API_ENTRY cl_event CL_API_CALL create_user_event(cl_context context, cl_int *status) {
  const cl_event event = below->clCreateUserEvent(context, status);
  if (event)
    deferred_count_user_event(1);
  return event;
}

static CL_API_ENTRY cl_int CL_API_CALL set_user_event(cl_event event, cl_int value) {
  const cl_int status = below->clSetUserEventStatus(event, value);
  if (status == CL_SUCCESS)
    deferred_count_user_event(-1);
  return status;
}

void wrap_queues(cl_icd_dispatch *table) {
  table->clCreateCommandQueue = create;
  table->clCreateCommandQueueWithProperties = create_with_properties;
  table->clRetainCommandQueue = retain;
  table->clReleaseCommandQueue = release;
  table->clEnqueueNDRangeKernel = enqueue_range;
  table->clEnqueueTask = enqueue_task;
  table->clCreateUserEvent = create_user_event;
  table->clSetUserEventStatus = set_user_event;
}
