/* Work-groups emulated by several threads beside each other: each claims the next few groups and puts down what it
 * recorded of them; what lies there is taken in order of group id, by whoever has just put something down, while the
 * others go on. Private to tracegen.
 *
 * Buffers belong to all threads, so all see each other's stores, in an order that nobody decides. Memory: what lies
 * there takes at most some MiB; who is ahead waits. Errors: of all groups that fail, the one with the lowest id is
 * reported; the threads, and what the task points to, are left as they are then, since generated code cannot be ended
 * from outside, and the caller has to end the process. */
#ifndef TRACEGEN_RUN_WORKERS_H
#define TRACEGEN_RUN_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"

struct worker_task {
  /* In a thread, before its first group and after its last one. Threads that cannot enter, for lack of memory, leave
   * the work to the others. */
  int (*enter)(void *user, unsigned worker, struct error *error);
  void (*leave)(void *user, unsigned worker);
  /* In a thread: runs a group and appends what it recorded. A worker's groups come in order. */
  int (*run)(void *user, unsigned worker, uint64_t group, struct bytes *record, struct error *error);
  /* In one thread at a time: takes the record of a group (aligned as malloc aligns), in order of group id. */
  int (*take)(void *user, unsigned worker, uint64_t group, const void *record, struct error *error);
  void *user;
  uint64_t first, end; /* groups */
};

/* `count` threads, or as many as there is memory for. */
int workers_run(const struct worker_task *task, unsigned count, struct error *error);

/* In a thread, instead of returning from `run`, also from a handler of a page fault: the group has failed. */
void worker_fail(const struct error *error) __attribute__((noreturn));

#endif
