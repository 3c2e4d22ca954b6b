/* One launch while it runs, and what is said about its kernel's mistakes. Private to run_groups.c and run_mistakes.c.
 */
#ifndef TRACEGEN_GROUP_RUN_H
#define TRACEGEN_GROUP_RUN_H

#include "trace/recorder.h"
#include "tracegen/barrier_switch.h"
#include "tracegen/printed.h"
#include "tracegen/recording.h"
#include "tracegen/run_groups.h"
#include "tracegen/shadow.h"

#define ITEM_FINISHED UINT64_MAX

struct group_run {
  const struct run_request *request;
  const struct kernel_program *program;
  uint32_t local_size, alive; /* alive: items that exist at the same time */
  uint32_t group, current;    /* current: slot of the item that runs */
  uint64_t group_at[3];       /* its coordinates */
  uint64_t groups[3], global_stride[3];
  struct item_context *items; /* [alive] */
  char *private_memory;
  struct recording recording;
  struct shadow shadow;
  bool checked; /* this group: reads of undefined memory are looked for */
  struct printed printed;
  uint64_t instructions;
  struct trace_recorder *recorder; /* in a worker; NULL: the request's writer takes the items */
  /* Kernels with barriers: */
  struct stack_context main_stack, *stacks;
  bool on_item_stack;
  struct error mistake; /* of an item with a stack of its own */
  uint64_t *waiting;    /* by item: block of the barrier, or FINISHED */
  char *stack_memory;
  struct error *error;
};

/* Ends the run with this error. Does not return. */
void group_run_fail(struct group_run *run, const struct error *error);
/* The item of `slot` cannot go on: recording.h's fault. Does not return. */
void group_run_stopped(struct group_run *run, enum recording_end end, uint32_t slot, const void *next);
/* The same for a mistake of a work-item, with its name and the line. */
void group_run_mistake(const struct item_context *item, unsigned line, const char *what);
/* After each item has run up to a barrier or the end: all must be at the same place. */
void group_run_check_round(struct group_run *run);

#endif
