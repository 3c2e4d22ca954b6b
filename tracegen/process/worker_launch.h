/* One launch, or one check of results, in the worker process: its kernel is built, dry-run where that may find a
 * mistake, and run. Private to worker_main.c. */
#ifndef TRACEGEN_PROCESS_WORKER_LAUNCH_H
#define TRACEGEN_PROCESS_WORKER_LAUNCH_H

#include <stdbool.h>

#include "trace/write/writer.h"
#include "tracegen/process/builds.h"
#include "tracegen/process/launch_trace.h"
#include "tracegen/process/worker_main.h"

struct worker {
  const struct worker_task *task;
  struct builds builds;
  struct launch_trace trace;
  struct trace_writer *writer; /* of the launch that runs; NULL: it is not traced */
  bool to_stdout;              /* the trace goes to standard output; it is closed when everything else is done */
  bool compiles_confined, is_confined; /* sandbox.h */
};

/* Tells the parent what the worker is doing from now on: "compiling kernel" and a name. */
void worker_begin_phase(struct worker *worker, const char *what, const char *name);
/* Reports the error and ends the process: a mistake of a kernel cannot return through generated code, and the system
 * frees what the process holds. `user` is the worker. */
void worker_give_up(void *user, const struct error *error) __attribute__((noreturn));
/* Returns seconds of processor time of this process and of those that it has waited for. */
double worker_cpu_seconds(void);
/* Returns whether the kernel of the first launch needs a dry run in each launch. */
bool worker_dry_runs(const struct worker *worker);
int worker_close_trace(struct worker *worker, struct error *error);
/* Gives an error that has no place the one of the launch in the workload's file. Returns -1. */
int worker_error_at_launch(const struct worker *worker, const struct workload_launch *launch, struct error *error);

/* Returns the kernel's program; NULL: error. */
const struct kernel_program *worker_build_launch(struct worker *worker, size_t index, struct error *error);
/* Builds, dry-runs and runs the launch, and fills its row of the report. */
int worker_run_launch(struct worker *worker, size_t index, struct error *error);
/* Runs the check's kernel and compares the buffers. */
int worker_run_check(struct worker *worker, const struct workload_check *check, struct error *error);

#endif
