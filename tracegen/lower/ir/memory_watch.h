/* The message for users where LLVM runs out of memory: LLVM and the C++ library then end the process by SIGABRT.
 *
 * Between begin and end the process whose early ends are watched (base/process/early_end.h) ends with a message and
 * exit code 1 instead, after the usual clean-up. In other processes, such as workers, SIGABRT has its effect.
 * Private to tracegen/lower. Threads: one watch at a time in a process; watches nest. */
#ifndef TRACEGEN_LOWER_MEMORY_WATCH_H
#define TRACEGEN_LOWER_MEMORY_WATCH_H

#include <signal.h>
#include <stdbool.h>

struct memory_watch {
  struct sigaction before;
  int standard_error; /* a copy of it, while it is dropped; -1: it is not */
};

/* With `quiet`, standard error is dropped until the end: LLVM's verifier and the C++ library print there. */
void memory_watch_begin(struct memory_watch *watch, bool quiet);
void memory_watch_end(const struct memory_watch *watch);

#endif
