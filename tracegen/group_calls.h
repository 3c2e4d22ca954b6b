/* Calls that all work-items of a group must make alike (group_copies.h), while it runs. Private to tracegen. */
#ifndef TRACEGEN_GROUP_CALLS_H
#define TRACEGEN_GROUP_CALLS_H

#include <stdint.h>

enum group_call { GROUP_COPY, GROUP_STRIDED_COPY, GROUP_WAIT, GROUP_CALL_KINDS };
enum { GROUP_CALL_ARGUMENTS = 4 };

struct group_call_name {
  const char *function;
  unsigned argument_count; /* that must agree */
  const char *arguments[GROUP_CALL_ARGUMENTS];
};

extern const struct group_call_name group_call_names[GROUP_CALL_KINDS];

struct group_call_made {
  enum group_call kind;
  uint32_t line;
  uint64_t arguments[GROUP_CALL_ARGUMENTS];
};

/* Since the last barrier. From {0}. */
struct group_calls {
  struct group_call_made *list; /* the first work-item's */
  uint32_t count, capacity;
  uint32_t *made; /* by slot: how many; NULL: no work-item has made one yet */
};

struct group_run;
/* All items have come to a barrier or to their end: each has made the calls that the first has. May not return. */
void group_calls_check_round(struct group_run *run);
void group_calls_clear(struct group_calls *calls);

#endif
