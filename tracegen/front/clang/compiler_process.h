/* clang as a process. Loading it takes twice the time of compiling a kernel, and what it shall do is known late: it is
 * started early and waits, for its arguments, which it reads from a pipe as a response file, or, where these can be
 * guessed, for the source alone, which it reads from its standard input. Private to tracegen.
 *
 * A compiler may be started by one process and used by another that it forks: between the two stands a keeper, which
 * started clang and tells through a pipe how it ended.
 * Errors: as front_end.h says. Threads: one; one compiler waits at a time. */
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

/* Starts a compiler, unless one waits. That it could not be started is found when it is needed. `arguments`, a response
 * file's text: it goes as far as it gets without what they say to read from standard input; NULL: they are not known.
 * `folders`: what it may read (confine_compiler.h); NULL: nothing but its own files. */
void compiler_expect(const char *arguments, const char *folders);
/* One waits that may read just these folders. */
bool compiler_waits_for(const char *folders);
bool compiler_waits(void);
/* It was started so lately that it will load for another 10 ms at least. */
bool compiler_loads(void);
bool compiler_awaits_source(void); /* one waits that has been given its arguments */
void compiler_dismiss(void);       /* ends the one that waits */
/* After a fork, in the process that forked: the compiler that waits is the other one's. */
void compiler_hand_over(void);
/* When that process has ended: ends what it left of its compiler. */
void compiler_take_back(void);
/* Gives the waiting compiler (or a new one; one that has been given arguments, or may read other folders, is ended) its
 * arguments: it compiles beside what follows. Its standard input is empty. */
int compiler_begin(const char *arguments, const char *folders, struct error *error);
/* The same for one that awaits its source. */
void compiler_begin_source(const char *text, size_t length);
/* Takes what the compiler that has begun writes. `source`: for messages. */
int compiler_finish(const char *source, struct compiler_bytes *bitcode, struct error *error);

#endif
