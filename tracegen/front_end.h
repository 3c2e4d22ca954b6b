/* OpenCL C -> LLVM bitcode: runs clang as a program of its own.
 *
 * Bitcode comes for the target spir64 and without any optimisation pass; lower.c sets the host's layout and optimises.
 * Errors: options outside OpenCL's list and a source that clang rejects are ERROR_INPUT, the latter with clang's text.
 * Ownership: the caller frees *bitcode. Threads: forks; call it from a process with one thread. */
#ifndef TRACEGEN_FRONT_END_H
#define TRACEGEN_FRONT_END_H

#include <stddef.h>

#include "base/error.h"

/* Checks the options and starts compiling; what follows runs beside it, until front_end_finish waits for the end. One
 * source at a time. */
int front_end_begin(const char *source, const char *options, struct error *error);
int front_end_finish(const char *source, char **bitcode, size_t *length, struct error *error);
/* Both. */
int front_end_compile(const char *source, const char *options, char **bitcode, size_t *length, struct error *error);

/* Splits build options at blanks (quotes and backslashes as in a shell) and refuses what OpenCL does not define.
 * A NULL-terminated array in one block: free(*words). */
int front_end_options(const char *options, char ***words, size_t *count, struct error *error);

#endif
