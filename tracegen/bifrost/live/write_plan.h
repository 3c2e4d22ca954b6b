/* A workload as the plan that the host program runs (host/host_plan.h), and its buffers as the plan's data file.
 *
 * Errors: a workload that has no launches or
 * needs double, and what cannot be written. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_LIVE_WRITE_PLAN_H
#define TRACEGEN_BIFROST_LIVE_WRITE_PLAN_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "workload/workload.h"

/* Writes the plan of the workload's launches, without its checks. */
int bifrost_plan_write(const struct workload *workload, FILE *out, struct error *error);
/* Writes the buffers' initial contents. */
int bifrost_data_write(const struct workload *workload, FILE *out, struct error *error);
/* Returns the offset of buffer `index` in the data file; of `workload->buffer_count`: the file's size. */
size_t bifrost_data_offset(const struct workload *workload, size_t index);
size_t bifrost_buffer_bytes(const struct workload_buffer *buffer);

#endif
