/* Capture of one launch: what it reads, what it leaves. Private to the layer. */
#ifndef LAYER_LAUNCH_H
#define LAYER_LAUNCH_H

#include "layer/records.h"

#include <CL/cl_layer.h>

/* The OpenCL below the layer. */
extern const cl_icd_dispatch *below;

/* Reads $REASSEMBLE_CAPTURE_KERNEL, _FIRST, _LAST, _MOST, _BYTES and _AFTER. */
void launch_settings(void);

struct launch {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint dimensions;
  const size_t *offset, *global, *local; /* offset, local: may be NULL */
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event;
};

/* The launch as the program asked for it, captured where the filters say so. */
cl_int launch_run(const struct launch *launch);

/* User events that the program has not set yet: waiting for its queues might never end. */
void launch_user_event(int change);

#endif
