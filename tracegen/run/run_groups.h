/* Runs a compiled kernel over its NDRange: groups in order (or, with several jobs, beside each other, and recorded in
 * order), the work-items of a group in order of local id. Private to tracegen.
 *
 * Kernels with atomics on global memory run on one job: what they read would depend on who comes first. So do kernels
 * that print.
 *
 * A mistake of the kernel (bad access, barrier not reached by all) cannot return through generated code: it is handed
 * to `fail`, which must not return. */
#ifndef TRACEGEN_RUN_RUN_GROUPS_H
#define TRACEGEN_RUN_RUN_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/writer.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "tracegen/abi/undefined_reads.h"
#include "workload/workload.h"

struct run_request {
  const struct kernel_program *program;
  const struct workload_launch *launch;
  const struct kernel_argument *arguments;
  const struct arena *arena;
  char *local_memory;          /* a multiple of 4 GiB; the arguments point into it */
  uint32_t local_bytes;        /* of a work-group, arguments included */
  struct trace_writer *writer; /* NULL: nothing is written */
  unsigned jobs;               /* threads that emulate, at most; 0 and 1: this one */
  uint64_t memory_limit;       /* bytes of private memory of the work-items that exist together */
  uint64_t *simd_groups;       /* becomes the number of work-groups that ran in rows; or NULL */
  double *first_item_s;        /* becomes the time, by the monotonic clock, at which the first work-item starts */
  uint64_t recording_limit;    /* bytes of block ids and addresses of one work-group */
  enum undefined_reads undefined_reads;
  double deadline_s, limit_s; /* on the monotonic clock, when the kernel is stopped (0: never); what messages say */
  bool only_checked_groups;   /* the others do not run: for rehearsals */
  bool *rehearsed; /* becomes true when the mistake is one that rehearsals are made for; NULL: nobody wants to know */
  void (*print)(const char *text, size_t length); /* what the kernel prints; NULL: nobody wants it */
  void (*fail)(void *user, const struct error *error) __attribute__((noreturn));
  void *user;
};

/* *instructions: executed operations, all classes but OP_MOVE (0 for a program compiled without recording). */
int run_groups(const struct run_request *request, uint64_t *instructions, struct error *error);

/* Kernels whose work-groups must run in order, all of them: there are atomics on global memory. */
bool run_groups_depend_on_order(const struct trace_code *code);

#endif
