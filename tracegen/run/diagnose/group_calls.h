/* Calls that all work-items of a work-group must make with the same arguments, while it runs: copies that a work-group
 * makes together, and the wait for them (OpenCL 1.2, section 6.12.10). The calls of each work-item are compared with
 * those of the first. Private to run. */
#ifndef TRACEGEN_RUN_DIAGNOSE_GROUP_CALLS_H
#define TRACEGEN_RUN_DIAGNOSE_GROUP_CALLS_H

struct group_calls;
struct group_run;

/* All work-items have come to a barrier or to their end. Ends the run when one has not made all calls of the first. */
void group_calls_check_round(struct group_run *run);
/* `calls` may be NULL. */
void group_calls_destroy(struct group_calls *calls);

#endif
