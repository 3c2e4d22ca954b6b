/* Compares the buffers of a check after its kernel has run. Private to tracegen. */
#ifndef TRACEGEN_CHECK_RESULTS_H
#define TRACEGEN_CHECK_RESULTS_H

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "workload/workload.h"

/* Buffer i of the workload is region i of the arena. */
int check_compare(const struct workload *workload, const struct workload_check *check, const struct arena *arena,
                  struct error *error);

#endif
