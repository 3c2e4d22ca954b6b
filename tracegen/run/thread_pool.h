/* Work-groups emulated on several threads. Each thread claims the next few work-groups and puts down a piece with what
 * it recorded of them. The thread that has just put a piece down takes all pieces that are next in order of group id,
 * while the others go on. Private to run.
 *
 * All threads see each other's stores to buffers, in no defined order. Memory: pieces that wait take some MiB; a thread
 * that is further ahead waits. Errors: of all work-groups that fail, the one with the lowest id is reported. Threads,
 * and what the task points to, are left as they are then, because generated code cannot be ended from outside: the
 * caller has to end the process. */
#ifndef TRACEGEN_RUN_THREAD_POOL_H
#define TRACEGEN_RUN_THREAD_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"

struct thread_pool_task {
  /* Called in a thread before its first work-group and after its last one. Threads that cannot enter, for lack of
   * memory, leave the work to the others. */
  int (*enter)(void *user, unsigned thread, struct error *error);
  void (*leave)(void *user, unsigned thread);
  /* Called in a thread: runs a work-group and appends what it recorded. The work-groups of a thread come in order. */
  int (*run)(void *user, unsigned thread, uint64_t group, struct bytes *record, struct error *error);
  /* Called in one thread at a time: takes the record of a work-group (aligned as malloc aligns), in order of group id.
   * `thread` is the one that recorded it. */
  int (*take)(void *user, unsigned thread, uint64_t group, const void *record, struct error *error);
  void *user;
  uint64_t first, end; /* work-groups */
};

/* Runs the task on `count` threads, or on as many as there is memory for. */
int thread_pool_run(const struct thread_pool_task *task, unsigned count, struct error *error);

/* Called in a thread instead of returning from `run`, also by a handler of a page fault: the work-group has failed. */
void thread_pool_fail(const struct error *error) __attribute__((noreturn));

#endif
