/* The work-groups of a launch on several threads (workers.h). Private to tracegen. */
#ifndef TRACEGEN_RUN_RUN_SHARED_H
#define TRACEGEN_RUN_RUN_SHARED_H

#include "tracegen/run/run_groups.h"

/* Those from `first` to `groups`. *simd_groups and *instructions grow, the latter only without a writer. When it fails,
 * threads go on: the process has to end. */
int run_shared(const struct run_request *request, uint64_t first, uint64_t groups, uint64_t *instructions,
               struct error *error);

#endif
