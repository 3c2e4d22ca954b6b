/* What the child process of an emulation does, and what it shares with its parent (child_process.h). Private to
 * tracegen.
 */
#ifndef TRACEGEN_EMULATION_CHILD_H
#define TRACEGEN_EMULATION_CHILD_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

struct child_launch {
  uint64_t instructions, trace_bytes, row_groups;
  double build_s, run_s, source_at_s, first_item_s, cpu_s;
};

/* In memory shared with the parent; the child writes, the parent reads when the child is gone (the phase: before). */
struct child_report {
  struct error error;
  char phase[128];      /* what the child is doing, for "timed out while ..." */
  double phase_start_s; /* monotonic clock */
  pid_t writer;         /* the process whose name unfinished files have */
  size_t launches_done; /* their traces are complete */
  uint64_t checks_passed;
  int done;
  struct child_launch launches[]; /* workload->launch_count */
};

/* A further launch for a child that serves, on buffers that the parent filled. Memory behind it holds what it points
 * to: it lies at the same address in both processes. */
struct child_order {
  char name[PATH_MAX], trace_path[PATH_MAX]; /* of the workload */
  struct workload_launch launch;
  struct workload_argument *arguments;                             /* as many as the first launch had */
  char (*buffer_names)[sizeof((struct arena_region *)NULL)->name]; /* of as many buffers as it had */
};

struct child_task {
  const struct workload *workload;
  const struct emulate_options *options;
  char **trace_paths; /* by launch; NULL without tracing; TRACE_TO_STDOUT for the only one */
  struct arena *arena;
  struct child_order *order; /* NULL: the child does not serve */
  int socket;                /* of a child that serves: a byte orders a launch, a process' status answers */
  uint64_t memory_limit, recording_limit;
  double timeout_s; /* per launch: then the child stops the kernel and says where */
  struct child_report *report;
};

/* Gives the buffers their initial contents. */
void child_fill_buffers(const struct workload *workload, const struct arena *arena);
/* Runs everything and ends the process. */
void child_main(const struct child_task *task) __attribute__((noreturn));

#endif
