/* Events: waiting for them, asking them, and calling back. */
#include "tracegen/program/board/virtual_command.h"

#include <stdlib.h>
#include <string.h>

static CL_API_ENTRY cl_int CL_API_CALL wait_for(cl_uint count, const cl_event *events) {
  virtual_enter();
  cl_int status = captured.clWaitForEvents(count, events);
  const bool waited = status == CL_SUCCESS || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  for (cl_uint i = 0; waited && i < count; i++) {
    const uint32_t command = virtual_event_command(events[i]);
    virtual_wait(command);
    if (virtual_has_failed(command))
      status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  virtual_leave();
  return status;
}

/* Returns how far the command has come at the host's time. */
static cl_int state_of(uint32_t command) {
  struct command_times times;
  virtual_time_is_read();
  virtual_act(&(struct action){.kind = ACTION_QUERY, .number = 1});
  const bool placed = virtual_times(command, &times);
  const int64_t now = virtual_now();
  if (!placed || now < times.submit)
    return CL_QUEUED;
  if (now < times.start)
    return CL_SUBMITTED;
  return now < times.end ? CL_RUNNING : CL_COMPLETE;
}

/* Returns the state that the program may see. What has ended in simulated time ends here in fact, or has failed. */
static cl_int true_state(cl_event event, uint32_t command) {
  cl_int state = state_of(command), real = CL_COMPLETE;
  if (state != CL_COMPLETE)
    return state;
  captured.clWaitForEvents(1, &event);
  below->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof real, &real, NULL);
  if (real >= 0 && virtual_has_failed(command))
    return CL_OUT_OF_RESOURCES;
  return real < 0 ? real : CL_COMPLETE;
}

static CL_API_ENTRY cl_int CL_API_CALL get_info(cl_event event, cl_event_info what, size_t size, void *value,
                                                size_t *needed) {
  const uint32_t command = virtual_event_command(event);
  if (what != CL_EVENT_COMMAND_EXECUTION_STATUS || command == TIMELINE_NONE)
    return captured.clGetEventInfo(event, what, size, value, needed);
  virtual_enter();
  const cl_int state = true_state(event, command);
  virtual_leave();
  return virtual_answer(&state, sizeof state, size, value, needed);
}

static cl_ulong time_of(const struct command_times *times, cl_profiling_info what) {
  switch (what) {
  case CL_PROFILING_COMMAND_QUEUED:
    return (cl_ulong)times->queued;
  case CL_PROFILING_COMMAND_SUBMIT:
    return (cl_ulong)times->submit;
  case CL_PROFILING_COMMAND_START:
    return (cl_ulong)times->start;
  default: /* CL_PROFILING_COMMAND_END, and CL_PROFILING_COMMAND_COMPLETE of OpenCL 2 */
    return (cl_ulong)times->end;
  }
}

static cl_int get_profile(cl_event event, uint32_t command, cl_profiling_info what, size_t size, void *value,
                          size_t *needed) {
  struct command_times times;
  if (true_state(event, command) != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  const cl_int status = captured.clGetEventProfilingInfo(event, what, size, value, needed);
  virtual_times(command, &times);
  const cl_ulong ns = time_of(&times, what);
  return status == CL_SUCCESS ? virtual_answer(&ns, sizeof ns, size, value, needed) : status;
}

static CL_API_ENTRY cl_int CL_API_CALL get_profiling_info(cl_event event, cl_profiling_info what, size_t size,
                                                          void *value, size_t *needed) {
  const uint32_t command = virtual_event_command(event);
  if (command == TIMELINE_NONE)
    return captured.clGetEventProfilingInfo(event, what, size, value, needed);
  virtual_enter();
  const cl_int status = get_profile(event, command, what, size, value, needed);
  virtual_leave();
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL retain(cl_event event) {
  const cl_int status = captured.clRetainEvent(event);
  if (status == CL_SUCCESS)
    virtual_event_retain(event);
  return status;
}

static CL_API_ENTRY cl_int CL_API_CALL release(cl_event event) {
  virtual_event_release(event);
  return captured.clReleaseEvent(event);
}

/* User events. */

static CL_API_ENTRY cl_event CL_API_CALL create_user_event(cl_context context, cl_int *status) {
  virtual_enter();
  const cl_event event = captured.clCreateUserEvent(context, status);
  if (event)
    virtual_event_note(event, virtual_act(&(struct action){.kind = ACTION_USER_EVENT}));
  virtual_leave();
  return event;
}

static CL_API_ENTRY cl_int CL_API_CALL set_user_event(cl_event event, cl_int value) {
  virtual_enter();
  const cl_int status = captured.clSetUserEventStatus(event, value);
  const uint32_t command = virtual_event_command(event);
  if (status == CL_SUCCESS && command != TIMELINE_NONE) {
    virtual_act(&(struct action){.kind = ACTION_COMPLETE, .number = command});
    virtual_resolve();
  }
  virtual_leave();
  return status;
}

/* Callbacks. The host waits for the command before it calls back. */

struct callback {
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *user;
};

static void CL_CALLBACK call_back(cl_event event, cl_int state, void *user) {
  const struct callback c = *(struct callback *)user;
  free(user);
  virtual_enter();
  const uint32_t command = virtual_event_command(event);
  if (state <= CL_COMPLETE)
    virtual_wait(command);
  if (state == CL_COMPLETE && virtual_has_failed(command))
    state = CL_OUT_OF_RESOURCES;
  virtual_leave();
  const struct outer_call outer = virtual_call_back();
  c.function(event, state, c.user);
  virtual_called_back(outer);
}

static CL_API_ENTRY cl_int CL_API_CALL set_callback(cl_event event, cl_int state,
                                                    void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *user) {
  struct callback *c = function ? malloc(sizeof *c) : NULL;
  if (!c)
    return captured.clSetEventCallback(event, state, function, user);
  *c = (struct callback){function, user};
  virtual_enter();
  const cl_int status = captured.clSetEventCallback(event, state, call_back, c);
  virtual_leave();
  if (status != CL_SUCCESS)
    free(c);
  return status;
}

void virtual_wrap_events(cl_icd_dispatch *table) {
  table->clWaitForEvents = wait_for;
  table->clGetEventInfo = get_info;
  table->clGetEventProfilingInfo = get_profiling_info;
  table->clRetainEvent = retain;
  table->clReleaseEvent = release;
  table->clCreateUserEvent = create_user_event;
  table->clSetUserEventStatus = set_user_event;
  table->clSetEventCallback = set_callback;
}
