/* OpenCL C -> LLVM bitcode: runs clang as a program of its own.
 *
 * Bitcode comes for the target spir64 and without any optimisation pass; lower.c sets the host's layout and optimises.
 * Errors: options outside OpenCL's list and a source that clang rejects are ERROR_INPUT, the latter with clang's text.
 * Ownership: the caller frees *bitcode. Threads: forks; call it from a process with one thread. */
#ifndef TRACEGEN_FRONT_FRONT_END_H
#define TRACEGEN_FRONT_FRONT_END_H

#include <stddef.h>

#include "base/error.h"

/* A source will follow: starts a compiler, unless one waits. Where it can be guessed what is to be compiled, all is
 * done that comes before the source is read: the guess is a source like that of the last front_end_remember, at first
 * one without options. Wrong guesses cost time alone. */
void front_end_expect(void);
void front_end_remember(const char *source, const char *options);
/* The source that follows is this one: if the compiler that waits cannot use it, another one starts to load. */
void front_end_correct(const char *source, const char *options);
/* Checks the options and starts compiling; what follows runs beside it, until front_end_finish waits for the end. One
 * source at a time. */
int front_end_begin(const char *source, const char *options, struct error *error);
int front_end_finish(const char *source, char **bitcode, size_t *length, struct error *error);
/* Both. */
int front_end_compile(const char *source, const char *options, char **bitcode, size_t *length, struct error *error);

#endif
