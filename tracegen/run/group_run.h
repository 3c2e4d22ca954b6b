/* One launch while it runs, and what is said about its kernel's mistakes. Private to run_groups.c and run_mistakes.c.
 */
#ifndef TRACEGEN_RUN_GROUP_RUN_H
#define TRACEGEN_RUN_GROUP_RUN_H

#include "trace/write/recorder.h"
#include "tracegen/run/barrier_switch.h"
#include "tracegen/run/group_calls.h"
#include "tracegen/abi/kernel_simd.h"
#include "tracegen/run/printed.h"
#include "tracegen/run/recording.h"
#include "tracegen/run/run_groups.h"
#include "tracegen/run/shadow.h"

#define ITEM_FINISHED UINT64_MAX

struct group_run {
  const struct run_request *request;
  const struct kernel_program *program;
  uint32_t local_size, alive; /* alive: items that exist at the same time */
  uint32_t group, current;    /* current: slot of the item that runs */
  uint64_t group_at[3];       /* its coordinates */
  uint64_t groups[3], global_stride[3];
  struct item_context *items;         /* [alive] */
  struct trace_item_end *ends;        /* by slot; or, where one item is alive, of some that ran one behind the other */
  struct item_context *rows;          /* [alive rows]; NULL: this launch does not run in rows */
  bool in_rows;                       /* this group */
  bool rows_part;                     /* too many rows have diverged */
  const struct item_context *wrapped; /* the row that ends the group, because of its access number wrapped_access */
  uint32_t wrapped_access;
  uint64_t simd_groups; /* that have run in rows */
  uint64_t row_count, diverged_count;
  uint32_t slots; /* items, or rows, of this group that exist at the same time */
  char *private_memory;
  struct recording recording;
  struct shadow shadow;
  bool checked; /* this group: reads of undefined memory are looked for */
  struct printed printed;
  struct group_calls calls;
  uint64_t instructions;
  uint64_t instructions_before;    /* of the writer, when the launch began: for rows_choose */
  struct trace_recorder *recorder; /* of one of several threads; NULL: the request's writer takes the items */
  /* Kernels with barriers: */
  struct stack_context main_stack, *stacks;
  bool on_item_stack;
  struct error mistake; /* of an item with a stack of its own */
  uint64_t *waiting;    /* by item: block of the barrier, or FINISHED */
  char *stack_memory;
  struct error *error;
};

/* Keeps the request. group_run_release also after a failure. Threads: as recording.h; a run may be used by another
 * thread than the one that prepares and releases it. */
int group_run_prepare(struct group_run *run, const struct run_request *request, struct error *error);
void group_run_release(struct group_run *run);
/* One work-group. A mistake of the kernel does not return (run_groups.h). */
int group_run_group(struct group_run *run, uint32_t group);

/* Of a slot of this group: an item, or a row with the ids of its first item. */
static inline struct item_context *group_run_context(const struct group_run *run, uint32_t slot) {
  return run->in_rows ? &run->rows[slot] : &run->items[slot];
}

/* run_simd.c: contexts for rows, if the launch allows them. */
int rows_prepare(struct group_run *run);
/* After `done` of `groups` work-groups: whether compiling the kernel for rows is worth it; then it is done. */
int rows_choose(struct group_run *run, uint64_t done, uint64_t groups);
/* After a row. */
void rows_count(struct group_run *run, bool diverged);
int rows_hand_over(struct group_run *run, const struct item_context *row);
/* An index has wrapped around, which makes nearly any address a bad one: the items run again one by one, so that the
 * message tells which. Does not return. (run_groups.c; and what is said when all goes well) */
void group_run_wrapped(struct item_context *row, uint32_t access);
void rows_wrapped(const struct item_context *row, uint32_t access);
/* Now that a round of a group in rows has ended: the same for its items, one by one. */
void rows_spread(struct group_run *run);
/* item_ids.c: from the local ids and the group's; what never changes for a slot; and from an item, or a row of them,
 * that has run to the next one. */
void group_run_set_global_id(struct group_run *run, struct item_context *item);
void group_run_set_local_id(struct group_run *run, struct item_context *item, uint32_t local_id);
void group_run_set_sizes(struct group_run *run, struct item_context *item, uint32_t slot);
void group_run_step_item(struct group_run *run, struct item_context *item, uint32_t lanes);

/* Where the memory starts that the access must stay in; *bytes: its size. */
uint64_t group_run_region(const struct item_context *item, const struct kernel_access *access, uint64_t *bytes);

/* Ends the run with this error. Does not return. */
void group_run_fail(struct group_run *run, const struct error *error);
/* The item of `slot` cannot go on: recording.h's fault. Does not return. */
void group_run_stopped(struct group_run *run, enum recording_end end, uint32_t slot, const void *next);
/* The same for a mistake of a work-item, with its name and the line. */
void group_run_mistake(const struct item_context *item, unsigned line, const char *what);
/* After each item has run up to a barrier or the end: all must be at the same place. */
void group_run_check_round(struct group_run *run);

#endif
