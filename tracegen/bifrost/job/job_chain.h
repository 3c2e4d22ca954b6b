/* Job chains: what the driver asks of the GPU in one submission. A chain is a list of jobs in GPU memory; of each, the
 * header names the kind and the next one.
 *
 * Errors: a chain that is not within the memory, has no end, or asks for something other than compute is ERROR_WORK
 * with the job's address. No contents of the memory make the parser access other memory. Cost: linear in the jobs. */
#ifndef TRACEGEN_BIFROST_JOB_JOB_CHAIN_H
#define TRACEGEN_BIFROST_JOB_JOB_CHAIN_H

#include <stdbool.h>

#include "base/error.h"
#include "tracegen/bifrost/bifrost_dispatch.h"

/* The handler of each compute job, called in the order of the chain. */
struct bifrost_job_handler {
  int (*dispatch)(void *context, const struct bifrost_dispatch *dispatch, struct error *error);
  void *context;
  /* cycles and times that jobs write are nanoseconds of base/clock.h; else zero, so that runs are equal */
  bool has_clock;
};

/* Runs the chain that begins at GPU address `first`. Jobs that write a value do so here. */
int bifrost_job_chain_run(const struct bifrost_memory *memory, uint32_t product, uint64_t first,
                          const struct bifrost_job_handler *handler, struct error *error);

#endif
