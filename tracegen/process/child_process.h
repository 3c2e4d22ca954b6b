/* The child process of an emulation, as its parent sees it: what the two share, and how it is started, watched and
 * ended. A child that serves builds the kernel of its first launch and then runs that launch, and each later one that
 * is ordered, in a process of its own: the kernel is built once. Private to tracegen.
 *
 * Ownership: child_process_create allocates, child_process_end frees, and kills the child if it is there.
 * Threads: one. */
#ifndef TRACEGEN_CHILD_PROCESS_H
#define TRACEGEN_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/process/emulation_child.h"

struct child_process {
  struct arena arena;
  struct child_report *report;
  struct child_order *order; /* NULL: the child does not serve */
  size_t report_bytes, order_bytes;
  pid_t child; /* 0: not started, or gone */
  int socket;  /* to it */
};

/* The arena and what is shared, for launches and buffers like the workload's. */
int child_process_create(struct child_process *process, const struct workload *workload, uint64_t memory, bool serves,
                         struct error *error);
/* Starts the child. `task`: all but what lies in `process`. */
int child_process_start(struct child_process *process, struct child_task task, struct error *error);
/* Orders the launch from a child that serves, the contents of its buffers included. */
void child_process_order(struct child_process *process, const struct workload *workload, const char *trace_path);
/* Waits until everything is done, or the launch that was ordered: the status of the process that did it. A phase of
 * more than `timeout_s`, and ten seconds that a busy machine may need, ends the child. */
int child_process_watch(struct child_process *process, double timeout_s, bool *timed_out);
void child_process_end(struct child_process *process);

#endif
