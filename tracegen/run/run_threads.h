/* The work-groups of a launch on several threads (thread_pool.h). Private to run. */
#ifndef TRACEGEN_RUN_RUN_THREADS_H
#define TRACEGEN_RUN_RUN_THREADS_H

#include "tracegen/run/group/run_request.h"

/* Runs the work-groups from `first` to `groups`, the latter excluded. Adds to *simd_groups of the request and, without
 * a writer, to *instructions. After an error threads still run: the process has to end. */
int run_on_threads(const struct run_request *request, uint64_t first, uint64_t groups, uint64_t *instructions,
                   struct error *error);

#endif
