/* What clang says of kernels that do not compile, as one error. Private to tracegen.
 *
 * The first of its errors counts: place, what was found, and below it the line of the source with a mark, where it is
 * no longer than a terminal's. What follows is often a consequence; how many there are is told. */
#ifndef TRACEGEN_COMPILE_ERRORS_H
#define TRACEGEN_COMPILE_ERRORS_H

#include "base/error.h"

/* `messages`: clang's output, or NULL. Nothing is shown of a file that lies in none of `folders` (confine_compiler.h).
 * Returns -1. */
int compile_error(const char *source, const char *messages, const char *folders, struct error *error);

#endif
