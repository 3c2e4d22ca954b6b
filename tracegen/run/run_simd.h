/* Work-groups in SIMD: when it is worth compiling the kernel for that, and what is recorded. Private to run. */
#ifndef TRACEGEN_RUN_RUN_SIMD_H
#define TRACEGEN_RUN_RUN_SIMD_H

#include "tracegen/run/group/group_run.h"

/* Makes contexts for SIMD groups, where the launch allows them. */
int simd_prepare(struct group_run *run);
/* Compiles the kernel for SIMD when that is worth it, after `done` of `groups` work-groups. */
int simd_choose(struct group_run *run, uint64_t done, uint64_t groups);
/* Counts a SIMD group that has run. */
void simd_count(struct group_run *run, bool diverged);
/* Hands what the SIMD group recorded to the encoder or the writer. */
int simd_record(struct group_run *run, const struct item_context *lanes);
/* An index has wrapped around within the SIMD group, which makes nearly any address a bad one: its work-items run again
 * one by one, so that the message names the right one. Does not return. (work_group.c) */
void simd_run_again(struct item_context *lanes, uint32_t access);
/* Ends the run when they went well. */
void simd_wrapped(const struct item_context *lanes, uint32_t access);

#endif
