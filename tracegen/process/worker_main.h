/* The work of an emulation's worker process, and the state that it shares with its parent (worker_process.h). Private
 * to tracegen. / */
#ifndef TRACEGEN_PROCESS_WORKER_MAIN_H
#define TRACEGEN_PROCESS_WORKER_MAIN_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/process/emulation.h"
#include "workload/workload.h"

/* In shared memory. The worker writes it; the parent reads it when the worker has ended or answered, and the phase
 * meanwhile. */
struct worker_report {
  struct error error;
  char phase[128];      /* what the worker is doing, for messages: "compiling kernel f" */
  double phase_start_s; /* clock_seconds */
  bool kernel_runs;     /* the worker ends the phase itself when its time is up */
  uint64_t groups_done; /* of the launch that runs; `groups` of them will run */
  uint64_t groups;
  pid_t writer;         /* the process that writes traces: unfinished files are named after it */
  size_t launches_done; /* whose traces are complete */
  uint64_t checks_passed;
  int done;
  struct emulate_launch launches[]; /* by launch; their texts stay NULL */
};

/* A launch for a persistent worker, on buffers that the parent filled. It lies in shared memory, at the same address in
 * both processes, and what it points to follows it there. Only the parent writes it. */
struct worker_request {
  char name[PATH_MAX], trace_path[PATH_MAX]; /* of the workload */
  uint64_t max_instructions;                 /* of the launch, as in emulate_options */
  struct workload_launch launch;
  struct workload_argument *arguments;                             /* as many as the first launch has */
  char (*buffer_names)[sizeof((struct arena_region *)NULL)->name]; /* as many as the first workload has buffers */
};

struct worker_task {
  const struct workload *workload;
  const struct emulate_options *options;
  const struct front_end *front_end;
  const struct index_ranges *samples; /* by launch: the work-groups that run; an empty set: all */
  char **trace_paths;                 /* by launch; NULL without tracing; TRACE_TO_STDOUT for the only one */
  const char *staging;                /* the folder that holds all of them; NULL: there is none */
  struct arena *arena;
  const struct worker_request *request; /* NULL: the worker is not persistent */
  bool request_is_safe;                 /* this process and its children cannot change the request */
  int socket; /* to the parent of a persistent worker: a byte orders a launch, a process' status is the answer */
  uint64_t memory_limit, recording_limit; /* bytes: of the process; of what one work-group records */
  double timeout_s;                       /* per launch: the worker stops the kernel then and reports where it was */
  struct worker_report *report;
};

/* Gives the buffers their initial contents. `fresh`: nothing has been written to the arena, so that pages of zeros stay
 * untouched. */
void worker_fill_buffers(const struct workload *workload, const struct arena *arena, bool fresh);
/* Runs the task and ends the process. */
void worker_main(const struct worker_task *task) __attribute__((noreturn));

#endif
