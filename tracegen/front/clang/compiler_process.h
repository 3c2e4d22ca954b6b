/* Clang as a process. Loading it takes twice the time of compiling a kernel, so it is started before the source is
 * known. It waits for its arguments, which it reads from a pipe as a response file, or, where the arguments can be
 * guessed, for the source alone, which it reads from its standard input. Private to this front end.
 *
 * A compiler may be started by one process and used by another that it forks. A keeper process starts clang, waits for
 * it and reports its exit status through a pipe, so that both can use it.
 * Errors: as front_end.h says. Threads: one; one compiler waits at a time. */
#ifndef TRACEGEN_FRONT_CLANG_COMPILER_PROCESS_H
#define TRACEGEN_FRONT_CLANG_COMPILER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Bytes that came through a pipe; the caller frees data. */
struct compiler_bytes {
  char *data;
  size_t length, capacity, limit;
  bool overflow; /* more than `limit` bytes came; the rest was dropped */
};

/* Starts a compiler, unless one waits. That it could not be started is found when it is needed. `arguments`, a response
 * file's text: it goes as far as it gets without what they say to read from standard input; NULL: they are not known.
 * `folders`: what it may read (confine_compiler.h); NULL: nothing but its own files. */
void compiler_expect(const char *arguments, const char *folders);
/* One waits that may read just these folders. */
bool compiler_waits_for(const char *folders);
bool compiler_waits(void);
/* Returns whether the compiler was started so recently that it loads for another 10 ms at least. */
bool compiler_loads(void);
bool compiler_awaits_source(void); /* one waits, and has its arguments */
void compiler_dismiss(void);       /* ends the compiler that waits */
/* Called after a fork by the process that forked: the compiler that waits now belongs to the forked process. */
void compiler_hand_over(void);
/* Called when that process has ended: ends its compiler where it still runs. */
void compiler_take_back(void);
/* Gives the waiting compiler (or a new one; one that has been given arguments, or may read other folders, is ended) its
 * arguments: it compiles beside what follows. Its standard input is empty. */
int compiler_begin(const char *arguments, const char *folders, struct error *error);
/* Gives the source to the compiler that awaits it. */
void compiler_begin_source(const char *text, size_t length);
/* Takes the output of the compiler that has begun. `source` is for messages. */
int compiler_finish(const char *source, struct compiler_bytes *bitcode, struct error *error);

#endif
