/* Capture of one launch: what it reads, what it leaves. Private to the layer. */
#ifndef LAYER_LAUNCH_H
#define LAYER_LAUNCH_H

#include "tracegen/program/layer/records.h"

#include <CL/cl_layer.h>

/* The OpenCL below the layer. */
extern const cl_icd_dispatch *below;

/* Reads $REASSEMBLE_CAPTURE_KERNEL, _FIRST, _LAST, _MOST, _BYTES and _AFTER. */
void launch_settings(void);
/* A number of the environment. */
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

/* The launch as the program asked for it, captured where the filters say so. */
cl_int launch_run(const struct launch *launch);

/* For launches that are held (deferred_launch.h). One is captured at a time. */
struct capture;
void launch_lock(void);
void launch_unlock(void);
/* The call itself, with other events. */
cl_int launch_forward(const struct capture *c, cl_uint wait_count, const cl_event *wait_list, cl_event *event);
/* Its line, with the reason; what it writes counts as written. */
void launch_is_not_captured(const struct capture *c);
/* Keeps what it left, and says that it is done. */
void launch_has_ended(struct capture *c, cl_int status);
void launch_free(struct capture *c);

#endif
