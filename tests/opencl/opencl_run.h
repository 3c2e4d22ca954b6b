/* Runs a workload's launches, and its checks, on the first device that the OpenCL ICD offers: a second implementation
 * to compare the emulator with.
 *
 * Ownership: opencl_session_open allocates; opencl_session_close frees. Errors: a missing device, a program that does
 * not build (with the compiler's text) and any failing call are errors of kind ERROR_WORK. Threads: one session at a
 * time. */
#ifndef TESTS_OPENCL_RUN_H
#define TESTS_OPENCL_RUN_H

#include "base/error.h"
#include "workload/workload.h"

struct opencl_session;

/* A device, a queue and one device buffer for each of the workload's, with its initial contents. */
int opencl_session_open(const struct workload *workload, struct opencl_session **out, struct error *error);
void opencl_session_close(struct opencl_session *session);

/* Gives all buffers their initial contents again. */
int opencl_session_refill(struct opencl_session *session, struct error *error);

/* Platform and device, for the log. */
const char *opencl_session_device(const struct opencl_session *session);

/* Builds `source` with the workload's options, unless the launch before had the same; runs `launch` and waits for its
 * end. */
int opencl_session_run(struct opencl_session *session, const char *source, const struct workload_launch *launch,
                       struct error *error);

/* buffer->count elements of buffer->type to `memory`. */
int opencl_session_read(struct opencl_session *session, size_t buffer, void *memory, struct error *error);

#endif
