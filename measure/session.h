/* An OpenCL device on which workloads run one after the other: context and queue with profiling, which stay, and the
 * buffers and built programs of the workload that runs.
 *
 * Ownership: session_open allocates, session_close frees and takes NULL, too. Threads: a session belongs to one
 *            thread.
 * Errors:    a call that the device refuses is ERROR_WORK with the name of the call or the compiler's text. */
#ifndef MEASURE_SESSION_H
#define MEASURE_SESSION_H

#include <stdbool.h>

#include "measure/device.h"
#include "workload/workload.h"

struct session;

int session_open(const struct opencl_api *api, const struct device *device, struct session **out, struct error *error);
void session_close(struct session *session);

/* Makes the buffers of `workload`, which the session borrows until session_end, and their contents in the host's
 * memory; session_fill writes them. session_end follows, also where session_begin failed. */
int session_begin(struct session *session, const struct workload *workload, struct error *error);
/* Frees what belongs to the workload. `failed`: a call failed, after which a driver may refuse all others; the next
 * session_begin opens the device again. */
void session_end(struct session *session, bool failed);

/* Gives every buffer its initial contents, but for those without any (INIT_NONE). */
int session_fill(struct session *session, struct error *error);
/* Replaces what the device's caches hold by other data. */
int session_empty_caches(struct session *session, struct error *error);
/* Runs `launch` of the file `source` (built with the workload's options when it is first met) and waits for its end.
 * *ns: from the start to the end of the kernel on the device, by its profiling events. */
int session_run(struct session *session, const char *source, const struct workload_launch *launch, double *ns,
                struct error *error);
/* Reads buffer->count elements of buffer->type to `memory`. */
int session_read(struct session *session, size_t buffer, void *memory, struct error *error);

#endif
