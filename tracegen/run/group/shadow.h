/* The shadow memory of a launch: for each byte of local and private memory, and of buffers without contents, a byte
 * that says whether its value is undefined. Stores make bytes defined, copies take their shadow along, and loads of
 * bytes that nothing has written end the run. What counts as a read is decided when the kernel is built (load_uses.c).
 *
 * Only checked work-groups pay for it: in them the bounds check of every access that concerns the shadow fails on
 * purpose, and the function that is called then (shadow_accesses.h) does the work. Checked are the first four
 * work-groups, those whose number is a power of two, and the last (docs/decisions/0005), whatever the number of jobs.
 * Arguments that lead to undefined buffers are checked in all work-groups. Private to run.
 * Ownership: shadow_create (group_run.h) allocates; shadow_destroy frees. */
#ifndef TRACEGEN_RUN_GROUP_SHADOW_H
#define TRACEGEN_RUN_GROUP_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tracegen/abi/kernel_abi.h"

struct shadow {
  char *local, *private_memory; /* shadow of the work-group's and of each slot's memory: not 0 where undefined */
  char *copied;                 /* by memory operation, SHADOW_ACCESS_BYTES each: the shadow that a copy loaded */
  uint16_t *copied_source;      /* the same, of undefined bytes: their source */
  uint16_t *local_source, *private_source; /* of each byte that is a copy: its source; NULL until there is one */
  struct kernel_argument *arguments;       /* the run's; but through a checked one no access is in bounds */
  bool checks_items; /* local and private memory are checked in this work-group, not only buffers */
};

#define SHADOW_ACCESS_BYTES 128
/* Values of a shadow byte. Unwritten: nothing has been written. Copied, in local and private memory: a copy of what
 * nothing has written. In a dry run, SHADOW_UNWRITTEN + the origin
 * (shadow_values.h) of an undefined value that was written, or SHADOW_OF_SOME where the origin's number is larger. */
#define SHADOW_UNWRITTEN 1
#define SHADOW_COPIED    254
#define SHADOW_OF_SOME   255

/* The source of an undefined byte: 1 + the memory operation that loaded it from where nothing had been written; 0: not
 * known. Messages name it. */
#define SHADOW_SOURCE_UNKNOWN 0

void shadow_destroy(struct shadow *shadow);

#endif
