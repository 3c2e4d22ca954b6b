/* The dry run of a launch: a version of its kernel that follows undefined values of private variables
 * (shadow_values.c) and compares all divisors with zero (elided_divisions.c) runs first, in a process of its own, with
 * copies of the buffers that it stores to. The launch itself, which is traced, finds everything as it was. Private to
 * tracegen.
 *
 * It runs the work-groups in which undefined reads are looked for (group/shadow.h), or all of them where atomics on
 * global memory may make one depend on those before. It reports undefined reads, divisions by zero and bad accesses, of
 * which this version has all that the source has (elided_loads.c); any other mistake, and any lack of memory or time,
 * is left to the launch itself.
 * Cost: a process (some milliseconds), the copies, and the work-groups at native speed. Nothing for kernels whose
 * private variables are all written before they are read and whose divisions all stay. */
#ifndef TRACEGEN_RUN_DRY_RUN_H
#define TRACEGEN_RUN_DRY_RUN_H

#include "tracegen/run/group/run_request.h"

/* `request` as for run_groups, with the version for the dry run. Returns -1 when it found a mistake; 0 also where it
 * could not take place. */
int dry_run(const struct run_request *request, struct error *error);

#endif
