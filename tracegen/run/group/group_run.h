/* The state of a launch whose work-groups run one after the other, and of the work-group that runs. Private to run.
 *
 * Work-items that exist at the same time have a number each, their slot: all of a work-group where the kernel has
 * barriers, else one. In a work-group that runs in SIMD (abi/kernel_simd.h), a slot is a SIMD group of SIMD_LANES
 * neighbours. */
#ifndef TRACEGEN_RUN_GROUP_GROUP_RUN_H
#define TRACEGEN_RUN_GROUP_GROUP_RUN_H

#include "trace/write/encoder.h"
#include "tracegen/abi/kernel_simd.h"
#include "tracegen/run/group/barrier_switch.h"
#include "tracegen/run/group/printed.h"
#include "tracegen/run/group/recording.h"
#include "tracegen/run/group/run_request.h"
#include "tracegen/run/group/shadow.h"

#define ITEM_FINISHED UINT64_MAX

struct group_run {
  const struct run_request *request;
  const struct kernel_program *program;
  uint64_t groups[3], global_stride[3]; /* of the launch, by dimension */
  uint32_t local_size;                  /* work-items of a work-group */
  uint32_t sub_group;                   /* work-items of a sub-group */
  uint32_t alive;                       /* work-items that exist at the same time */
  uint32_t group, current;              /* the work-group that runs; the slot that runs */
  uint64_t group_at[3];                 /* the work-group's coordinates */
  uint32_t slots;                       /* of this work-group */
  bool checked;                         /* in this work-group undefined reads are looked for */
  struct item_context *items;           /* [alive] */
  struct trace_item_end *ends;          /* by slot; with one slot: of work-items that ran one after the other */
  char *private_memory;
  struct recording recording;
  struct shadow shadow;
  struct printed printed;
  struct collectives *collectives; /* run/collectives.h; NULL: the kernel makes no such calls */
  struct group_calls *calls;       /* diagnose/group_calls.h; NULL: no work-item has made such a call yet */
  uint64_t instructions;           /* executed, where there is no writer */
  uint64_t instructions_before;    /* the writer's count when the launch began */
  struct trace_encoder *encoder;   /* of one of several threads; NULL: the request's writer takes what is recorded */
  struct error *error;
  /* Kernels that may run in SIMD: */
  struct item_context *simd;          /* contexts of SIMD groups; NULL: this launch does not run in SIMD */
  bool in_simd;                       /* this work-group does */
  bool simd_is_wasteful;              /* too many SIMD groups have diverged */
  const struct item_context *wrapped; /* the SIMD group whose memory operation wrapped_access ended the work-group */
  uint32_t wrapped_access;
  uint64_t simd_groups;                         /* work-groups that ran in SIMD */
  uint64_t simd_run_count, simd_diverged_count; /* SIMD groups */
  /* Kernels with barriers: */
  struct stack_context main_stack, *stacks;
  bool on_item_stack;
  struct error mistake; /* of an item that has a stack of its own */
  uint64_t *waiting;    /* by slot: the block of the barrier, or ITEM_FINISHED */
  char *stack_memory;
};

/* Returns the context of a slot of this work-group: a work-item's, or a SIMD group's, which has the ids of its first
 * work-item. */
static inline struct item_context *group_run_context(const struct group_run *run, uint32_t slot) {
  return run->in_simd ? &run->simd[slot] : &run->items[slot];
}

/* Sets the local ids, by divisions. */
void group_run_set_local_id(struct group_run *run, struct item_context *item, uint32_t local_id);
/* Sets the global ids from the local ids and the work-group's. */
void group_run_set_global_id(struct group_run *run, struct item_context *item);
/* Sets everything that never changes for a slot. */
void group_run_set_sizes(struct group_run *run, struct item_context *item, uint32_t slot);
/* Moves the ids on by `count` work-items: one, or those of a SIMD group. */
void group_run_step_item(struct group_run *run, struct item_context *item, uint32_t count);

/* Returns the address at which the memory starts that the memory operation must stay in; *bytes: its size. The
 * operation's pointer comes from a known argument or variable. */
uint64_t group_run_region(const struct item_context *item, const struct kernel_access *access, uint64_t *bytes);
/* Returns whether the launch's options ask for looking at undefined reads in this work-group. */
bool shadow_checks_group(const struct run_request *request, uint64_t group);
int shadow_create(struct group_run *run);
/* At the start of run->group. Returns whether it is checked. */
bool shadow_begin_group(struct group_run *run);
/* At the start of a work-item of a checked work-group. */
void shadow_begin_item(struct group_run *run, uint32_t slot);

#endif
