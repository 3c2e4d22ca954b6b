/* The capture of launches, one at a time: the launch waits until everything before it has ended, and its buffers are
 * read before and after it. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_LAUNCH_H
#define TRACEGEN_PROGRAM_LAUNCH_LAUNCH_H

#include "tracegen/program/launch/records.h"

#include <CL/cl_layer.h>

/* The OpenCL below the layer. */
extern const cl_icd_dispatch *below;

/* Reads $REASSEMBLE_CAPTURE_KERNEL, _FIRST, _LAST, _MOST, _BYTES and _AFTER. */
void launch_settings(void);
/* Returns a number of the environment; `otherwise` where it is not set. */
uint64_t launch_setting(const char *name, uint64_t otherwise);

struct launch {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint dimensions;
  const size_t *offset, *global, *local; /* offset, local: may be NULL */
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event;
};

/* Runs the launch as the program asked for it, and captures it where the filters say so. Returns OpenCL's status. */
cl_int launch_run(const struct launch *launch);
/* Chooses the size of work-groups where the program leaves it to OpenCL. */
void launch_choose_local(cl_kernel kernel, cl_device_id device, const size_t global[3], size_t local[3]);
/* Returns the number of the launch that this thread has run last. */
uint64_t launch_last_index(void);

/* For launches that are deferred (deferred_launch.h). One is captured at a time, under the lock. */
struct captured_launch;
void launch_lock(void);
void launch_unlock(void);
/* Makes the call, with other events. */
cl_int launch_forward(const struct captured_launch *c, cl_uint wait_count, const cl_event *wait_list, cl_event *event);
/* Logs the launch with the reason why it is skipped; its arguments count as initialised. */
void launch_is_not_captured(const struct captured_launch *c);
/* Saves what it left in its buffers, and logs that it has ended. */
void launch_has_ended(struct captured_launch *c, cl_int status);
void launch_free(struct captured_launch *c);

/* Returns whether a source is given, and each of its parts. */
bool program_has_parts(cl_uint count, const char **parts);

#endif
