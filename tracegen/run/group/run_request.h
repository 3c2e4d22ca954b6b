/* The input of a run of a launch, and the listeners that are told about it. Private to tracegen. */
#ifndef TRACEGEN_RUN_GROUP_RUN_REQUEST_H
#define TRACEGEN_RUN_GROUP_RUN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/writer.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "tracegen/abi/out_of_bounds.h"
#include "tracegen/abi/undefined_reads.h"
#include "workload/workload.h"

struct run_request {
  const struct kernel_program *program;
  const struct workload_launch *launch;
  const struct kernel_argument *arguments;
  const struct arena *arena;
  char *local_memory;            /* starts at a multiple of 4 GiB; the arguments point into it */
  uint32_t local_bytes;          /* of a work-group, arguments in local memory included */
  const uint32_t *groups;        /* ids of the work-groups that run, ascending; NULL: all of the launch */
  uint64_t group_count;          /* of `groups` */
  struct trace_writer *writer;   /* NULL: nothing is written */
  unsigned jobs;                 /* threads at most; 0: one */
  uint64_t memory_limit;         /* bytes: of private memory, and of what all threads together need */
  uint64_t *simd_groups;         /* becomes the number of work-groups that ran in SIMD; or NULL */
  struct outside_loads *outside; /* counts loads that gave zeros; or NULL */
  uint64_t most_instructions;    /* of a launch without a writer; 0: no limit */
  uint64_t *groups_done;         /* counts the work-groups that have run, for others to watch; or NULL */
  double *first_item_s;          /* becomes the time, by clock_seconds, at which the first work-item starts */
  uint64_t recording_limit;      /* bytes of block ids and addresses of one work-group */
  enum undefined_reads undefined_reads;
  uint32_t sub_group;       /* work-items of a sub-group; 0: SUB_GROUP_SIZE (abi/collective.h) */
  double deadline_s;        /* by clock_seconds: the kernel is stopped then; 0: never */
  double limit_s;           /* the limit of time in seconds, for messages */
  bool only_checked_groups; /* only work-groups in which undefined reads are looked for run: for dry runs */
  bool *dry_run_finding;    /* becomes true when the mistake is of a kind that dry runs look for; or NULL */
  void (*print)(const char *text, size_t length); /* takes what the kernel prints; NULL: it is dropped */
  /* Of a dry run: called in its process before any of the kernel's code runs, which does not run where it returns -1;
   * or NULL. */
  int (*confine)(void);
  /* Takes a mistake of the kernel, which cannot return through generated code. */
  void (*fail)(void *user, const struct error *error) __attribute__((noreturn));
  void *user;
};

/* Returns the id of the work-group that runs as number `index`. */
static inline uint32_t run_request_group(const struct run_request *request, uint64_t index) {
  return request->groups ? request->groups[index] : (uint32_t)index;
}

#endif
