/* Calls that all work-items of a group must make alike (group_copies.h), while it runs. Private to tracegen. */
#ifndef TRACEGEN_RUN_GROUP_CALLS_H
#define TRACEGEN_RUN_GROUP_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "tracegen/abi/group_call.h"

struct group_call_made {
  enum group_call kind;
  uint32_t line;
  uint64_t arguments[GROUP_CALL_ARGUMENTS];
};

/* Since the last barrier. From {0}. */
struct group_calls {
  struct group_call_made *list; /* the first work-item's */
  uint32_t count;
  size_t capacity;
  uint32_t *made; /* by slot: how many; NULL: no work-item has made one yet */
};

struct group_run;
/* All items have come to a barrier or to their end: each has made the calls that the first has. May not return. */
void group_calls_check_round(struct group_run *run);
void group_calls_clear(struct group_calls *calls);

#endif
