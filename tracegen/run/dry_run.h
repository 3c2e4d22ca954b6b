/* A launch rehearsed in a version of its kernel that follows undefined values of private variables
 * (shadow_propagation.c) and compares all divisors with zero (elided_divisions.c), in a process of its own, with copies of
 * the buffers that it stores to: what runs afterwards, and is traced, finds everything as it was. Private to tracegen.
 *
 * Rehearsed are the work-groups in which reads of undefined memory are looked for (shadow.h), or all groups where
 * atomics on global memory may make one depend on those before. Only such reads and divisions, and bad accesses, of
 * which that version has all that the source has (elided_loads.c), are reported: any other mistake, and any lack of
 * memory or time, is left to the launch itself.
 *
 * Cost: a process (some milliseconds), the copies, and the groups, at native speed. Nothing for kernels whose private
 * variables are all written before they are read and whose divisions all stay. */
#ifndef TRACEGEN_DRY_RUN_H
#define TRACEGEN_DRY_RUN_H

#include "tracegen/run/run_groups.h"

/* `request` is as for run_groups, but for the version that follows. -1: an undefined value decided something, or a
 * divisor was zero. */
int dry_run(const struct run_request *request, struct error *error);

#endif
