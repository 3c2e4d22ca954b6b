/* One workload on one device: context, queue with profiling, buffers, built programs.
 *
 * Ownership: session_open allocates, session_close frees and takes NULL, too. Threads: a session belongs to one
 *            thread.
 * Errors:    a call that the device refuses is ERROR_WORK with the name of the call or the compiler's text. */
#ifndef MEASURE_SESSION_H
#define MEASURE_SESSION_H

#include "measure/device.h"
#include "workload/workload.h"

struct session;

/* Opens the device and creates the buffers; session_fill fills them. */
int session_open(const struct opencl_api *api, const struct device *device, const struct workload *workload,
                 struct session **out, struct error *error);
void session_close(struct session *session);

/* Gives every buffer its initial contents. */
int session_fill(struct session *session, struct error *error);
/* Runs `launch` of the file `source` (built with the workload's options when it is first met) and waits for its end.
 * *ns: from the start to the end of the kernel on the device, by its profiling events. */
int session_run(struct session *session, const char *source, const struct workload_launch *launch, double *ns,
                struct error *error);
/* Reads buffer->count elements of buffer->type to `memory`. */
int session_read(struct session *session, size_t buffer, void *memory, struct error *error);

#endif
