/* Runs one work-group: its work-items one after the other, in SIMD, or with barriers. Private to run.
 *
 * Ownership: group_run_prepare allocates and keeps the request; group_run_release frees, also after a failure.
 * Threads: as recording.h says; a run may be used by another thread than the one that prepares and releases it. */
#ifndef TRACEGEN_RUN_WORK_GROUP_H
#define TRACEGEN_RUN_WORK_GROUP_H

#include "tracegen/run/group/group_run.h"

int group_run_prepare(struct group_run *run, const struct run_request *request, struct error *error);
void group_run_release(struct group_run *run);
/* A mistake of the kernel does not return (run_request.h). */
int group_run_group(struct group_run *run, uint32_t group);

#endif
