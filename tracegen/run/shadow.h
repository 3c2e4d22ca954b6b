/* Which bytes hold an undefined value: one byte of shadow for each byte of local and private memory, and of buffers
 * without contents. Stores make bytes defined, copies take their shadow along, loads of what nothing has written end
 * the run. What counts as a read is decided when the kernel is built (load_uses.c).
 *
 * Only checked work-groups pay: in them the bounds check of every access that concerns the shadow fails on purpose, and
 * what is called then does the work. Checked are the first four groups, those whose number is a power of two, and the
 * last (docs/decisions/0005): the same whatever the number of jobs. Arguments that lead to undefined buffers are
 * checked in all groups. Private to tracegen. */
#ifndef TRACEGEN_RUN_SHADOW_H
#define TRACEGEN_RUN_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tracegen/abi/kernel_abi.h"

struct group_run;
struct run_request;

struct shadow {
  char *local, *private_memory;      /* of the work-group, of each item alive: not 0 where undefined */
  char *copied;                      /* by access, SHADOW_ACCESS_BYTES each: what a copy loaded last */
  struct kernel_argument *arguments; /* as the run's, but no access through a checked one is in bounds */
  bool checks_items;                 /* in this group: local and private memory, not only buffers */
};

#define SHADOW_ACCESS_BYTES 128
/* A byte: nothing has been written; SHADOW_UNWRITTEN + the origin (shadow_values.h) of an undefined value that was, in the
 * version of a kernel that follows them, or that of one whose number is too large. */
#define SHADOW_UNWRITTEN 1
#define SHADOW_OF_SOME   255

/* Whether the launch's options ask for looking at this work-group. */
bool shadow_checks_group(const struct run_request *request, uint64_t group);
int shadow_create(struct group_run *run);
void shadow_destroy(struct shadow *shadow);
/* At the start of run->group: whether it is checked. */
bool shadow_begin_group(struct group_run *run);
/* At the start of a work-item of a checked group. */
void shadow_begin_item(struct group_run *run, uint32_t slot);
/* An access that is in bounds: loads are checked, stores make defined. */
void shadow_access(struct item_context *item, uint32_t index, uint64_t address);
/* The same for a row of work-items (kernel_simd.h) with addresses `step` apart, the first at `address`: false when they
 * have to be looked at one by one. */
bool shadow_row_is_defined(struct item_context *row, const struct kernel_access *access, uint64_t address,
                           int64_t step);

#endif
