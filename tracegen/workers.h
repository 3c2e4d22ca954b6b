/* Work-groups emulated by several processes: each runs every n-th group and sends what it recorded through a pipe; the
 * caller reads the pipes in order of group id. Processes, because generated code holds the address of local memory, and
 * because page faults of a recording belong to a process. Private to tracegen.
 *
 * Buffers are shared memory, so all see each other's stores, in an order that nobody decides. Memory: a pipe holds
 * about 1 MiB; who is ahead waits. Errors: of all groups that fail, the one with the lowest id is reported. */
#ifndef TRACEGEN_WORKERS_H
#define TRACEGEN_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/bytes.h"

/* What one group gave. data: the bytes of a trace_recorder, length 0 where nothing is traced. */
struct worker_record {
  uint64_t instructions, length;
  const void *data;
};

/* A worker's way out. Records gather before they go, because each write may wake the caller up. */
struct worker_pipe {
  int end;
  struct bytes gathered;
};

int worker_send(struct worker_pipe *pipe, const struct worker_record *record);
/* Sends what has gathered and ends the process. */
void worker_end(struct worker_pipe *pipe) __attribute__((noreturn));
/* The same with an error. */
void worker_fail(void *pipe, const struct error *error) __attribute__((noreturn));

struct worker_task {
  /* In the worker: runs groups first, first + step, ... below the end and sends a record for each. Not 0: the worker
   * has failed. */
  int (*work)(void *user, struct worker_pipe *pipe, uint64_t first, uint64_t step, struct error *error);
  /* In the caller: takes the record of a group; called in order of group id. */
  int (*take)(void *user, uint64_t group, const struct worker_record *record, struct error *error);
  void *user;
  uint64_t first, end; /* groups */
};

int workers_run(const struct worker_task *task, unsigned count, struct error *error);

#endif
