/* The process that emulates a workload, as its parent sees it: what the two share, and how it is started, watched and
 * ended. A persistent worker builds the kernel of its first launch, and forks a process that runs that launch and
 * later ones that its parent orders (worker_main.c): the kernel is built once. Private to tracegen.
 *
 * Ownership: worker_process_create allocates; worker_process_end frees, and kills the process where it still runs.
 * Threads: one. */
#ifndef TRACEGEN_PROCESS_WORKER_PROCESS_H
#define TRACEGEN_PROCESS_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/progress.h"
#include "tracegen/abi/arena.h"
#include "tracegen/process/worker_main.h"

struct worker_process {
  struct arena arena;
  struct worker_report *report;
  struct worker_request *request;              /* NULL: the worker is not persistent */
  struct workload_argument *request_arguments; /* in the request, whose own pointers the worker could change */
  char (*request_names)[sizeof((struct arena_region *)NULL)->name];
  uint64_t **held; /* by buffer: what its chunks hold (struct buffer_exchange); NULL: without an exchange */
  size_t held_count;
  size_t report_bytes, request_bytes;
  size_t most_phases; /* of an order; a worker that reports more has been taken over by its kernel */
  bool quiet;         /* worker_process_watch shows no progress */
  pid_t worker;       /* 0: not started, or gone */
  int socket;         /* to the worker; -1: closed */
  int request_file;   /* subprocess_one_writer_memory's, until the worker is started; -1: none */
};

/* Makes the arena and the shared memory, for launches and buffers such as the workload's. `memory`: limit in bytes;
 * `reads`: where reads of undefined bytes will be looked for. */
int worker_process_create(struct worker_process *process, const struct workload *workload, uint64_t memory,
                          enum undefined_reads reads, bool persistent, struct error *error);
/* Starts the worker. `task` without the members that `process` holds. */
int worker_process_start(struct worker_process *process, struct worker_task task, struct error *error);
/* Fills the buffers through the exchange, before the worker is started or gets an order. */
int worker_process_fill(struct worker_process *process, const struct workload *workload,
                        const struct buffer_exchange *exchange, struct error *error);
/* Hands what the launches left to the exchange. */
int worker_process_take(struct worker_process *process, const struct workload *workload,
                        const struct buffer_exchange *exchange, struct error *error);
/* Nothing is known of what the buffers hold: their results were not taken. */
void worker_process_forget(struct worker_process *process, const struct workload *workload,
                           const struct buffer_exchange *exchange);
/* Fills the other buffers with the contents that the workload says and orders its launch from a persistent worker.
 * `max_instructions` as in emulate_options. */
void worker_process_order(struct worker_process *process, const struct workload *workload, const char *trace_path,
                          uint64_t max_instructions);
/* Waits until the worker has ended or answers the order, and shows the progress of what takes long. Returns the status,
 * as waitpid gives it, of the process that did the work. A phase that takes more than `timeout_s` (at least three
 * seconds) ends the worker. The worker ends a launch that takes more itself, to report where it was, and gets a tenth
 * of the limit more for that (at least three seconds). */
int worker_process_watch(struct worker_process *process, double timeout_s, bool *timed_out);
void worker_process_end(struct worker_process *process);

/* The line on a terminal that says how far an emulation is (phase_progress.c): the phase of the worker, and of a launch
 * that runs its work-groups, their rate and the time to go. A phase that ends within a second shows none. Start from
 * zero, with `quiet`. */
struct phase_progress {
  bool quiet;
  char phase[128];      /* as the worker reported it last */
  double seen_s;        /* by clock_seconds: when it was seen first */
  bool started, counts; /* `line` is shown; it counts work-groups */
  struct progress line;
};

/* Looks at what the worker reports, of which nothing is trusted, and shows it where it is due. */
void phase_progress_show(struct phase_progress *progress, const struct worker_report *report);
void phase_progress_end(struct phase_progress *progress);

#endif
