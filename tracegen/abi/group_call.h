/* Built-in functions that all work-items of a work-group have to call alike, and the arguments that have to agree.
 * Private to tracegen. */
#ifndef TRACEGEN_GROUP_CALL_H
#define TRACEGEN_GROUP_CALL_H

enum group_call { GROUP_COPY, GROUP_STRIDED_COPY, GROUP_WAIT, GROUP_CALL_KINDS };
enum { GROUP_CALL_ARGUMENTS = 4 };

struct group_call_name {
  const char *function;
  unsigned argument_count; /* of the arguments that have to agree */
  const char *arguments[GROUP_CALL_ARGUMENTS];
};

extern const struct group_call_name group_call_names[GROUP_CALL_KINDS];

#endif
