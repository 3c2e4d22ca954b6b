#include "tracegen/program/board/device_time.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tracegen/program/clock/simulated_clock.h"
#include "tracegen/program/layer/wrappers.h"

static const struct virtual_settings *board;
static _Atomic int64_t latency_ns; /* of the command that ran last */

bool device_time_is_on(void) {
  return board && board->device_times;
}

int64_t device_time_latency(void) {
  return device_time_is_on() ? atomic_load(&latency_ns) : 0;
}

/* Times. */

static cl_ulong time_at(cl_event event, cl_profiling_info what) {
  cl_ulong ns = 0;
  below->clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL);
  return ns;
}

/* Returns the time on the device, waiting for the end of the command. */
static int64_t measured(cl_event event) {
  if (below->clWaitForEvents(1, &event) != CL_SUCCESS)
    return 0;
  const cl_ulong start = time_at(event, CL_PROFILING_COMMAND_START), end = time_at(event, CL_PROFILING_COMMAND_END);
  return end > start ? (int64_t)(end - start) : 0;
}

static int64_t corrected(int64_t ns, double factor) {
  return llround(factor * (double)ns);
}

int64_t device_time_of(cl_event event, enum command_kind kind) {
  return corrected(measured(event), board->factors[kind]);
}

static void pass_calls(int64_t ns) {
  if (ns > 0)
    virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_CALLS, .ns = corrected(ns, board->calls_factor)});
}

void device_time_pass_call(int64_t start) {
  pass_calls(real_clock(CLOCK_MONOTONIC) - start);
}

/* A call that blocks has returned after the end of its command: what it took beside the command cannot be told
 * apart. */
void device_time_measure(struct virtual_command *c, bool blocks) {
  const int64_t called = real_clock(CLOCK_MONOTONIC) - c->start_ns;
  struct command_request *r = &c->action.request;
  r->measured = true;
  if (!virtual_is_ready(r)) {
    r->measured_ns = -1;
    pass_calls(called);
    return;
  }
  const int64_t ns = measured(*c->event);
  const int64_t left = real_clock(CLOCK_MONOTONIC) - c->start_ns - called - ns;
  r->measured_ns = corrected(ns, board->factors[r->kind]);
  pass_calls(blocks ? called - ns : called);
  atomic_store(&latency_ns, blocks || left < 0 ? 0 : corrected(left, board->latency_factor));
}

/* Queues. */

static CL_API_ENTRY cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                              cl_command_queue_properties properties, cl_int *status) {
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_command_queue queue =
      captured.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, status);
  virtual_work_end(start, false);
  virtual_leave();
  return queue;
}

static size_t length_of(const cl_queue_properties *list) {
  size_t length = 0;
  while (list && list[length])
    length += 2;
  return length;
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                                                   const cl_queue_properties *list, cl_int *status) {
  const size_t length = length_of(list);
  cl_queue_properties *all = calloc(length + 3, sizeof *all);
  bool found = false;
  for (size_t i = 0; all && i < length; i += 2) {
    found = found || list[i] == CL_QUEUE_PROPERTIES;
    all[i] = list[i];
    all[i + 1] = list[i] == CL_QUEUE_PROPERTIES ? list[i + 1] | CL_QUEUE_PROFILING_ENABLE : list[i + 1];
  }
  if (all && !found) {
    all[length] = CL_QUEUE_PROPERTIES;
    all[length + 1] = CL_QUEUE_PROFILING_ENABLE;
  }
  const cl_command_queue queue = captured.clCreateCommandQueueWithProperties(context, device, all ? all : list, status);
  free(all);
  return queue;
}

/* Devices. OpenCL may make its threads here. */
static CL_API_ENTRY cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                                      cl_device_id *devices, cl_uint *count) {
  virtual_enter();
  const int64_t start = virtual_work_begin();
  const cl_int status = captured.clGetDeviceIDs(platform, type, entries, devices, count);
  virtual_work_end(start, false);
  virtual_leave();
  return status;
}

void virtual_wrap_device_times(cl_icd_dispatch *table, const struct virtual_settings *settings) {
  board = settings;
  if (!settings->device_times)
    return;
  programs_may_contract(); /* the kernels that are timed are those of the unmodified program */
  if (!settings->described)
    table->clGetDeviceIDs = get_device_ids;
  table->clCreateCommandQueue = create_queue;
  table->clCreateCommandQueueWithProperties = create_queue_with;
}
