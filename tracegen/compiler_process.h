/* clang as a process. Loading it takes twice the time of compiling a kernel, and what it shall do is known late: it is
 * started early and waits for its arguments, which it reads from a pipe as a response file. Private to tracegen.
 *
 * Errors: as front_end.h says. Threads and processes: forks; one compiler waits at a time, for the process that
 * started it. */
#ifndef TRACEGEN_COMPILER_PROCESS_H
#define TRACEGEN_COMPILER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What came through a pipe; the caller frees data. */
struct compiler_bytes {
  char *data;
  size_t length, capacity, limit;
  bool overflow; /* more than `limit` came; the rest was dropped */
};

/* Starts a compiler, unless one waits. That it could not be started is found when it is needed. */
void compiler_expect(void);
/* Gives the waiting compiler (or a new one) its arguments, a response file's text, and takes what it writes. `source`:
 * for messages. */
int compiler_run(const char *source, const char *arguments, struct compiler_bytes *bitcode, struct error *error);

#endif
