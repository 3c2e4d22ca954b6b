/* The comparison of buffers that a workload's check asks for. Private to tracegen. */
#ifndef TRACEGEN_PROCESS_CHECK_RESULTS_H
#define TRACEGEN_PROCESS_CHECK_RESULTS_H

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "workload/workload.h"

/* Compares the buffers of the check, whose kernel has run. Buffer i of the workload is region i of the arena. Returns 0
 * when all pairs agree; else ERROR_WORK names the first element that differs. */
int check_compare(const struct workload *workload, const struct workload_check *check, const struct arena *arena,
                  struct error *error);

#endif
