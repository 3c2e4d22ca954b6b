/* Clang's messages about kernels that do not compile, as one error. Private to this front end. */
#ifndef TRACEGEN_FRONT_CLANG_COMPILE_ERRORS_H
#define TRACEGEN_FRONT_CLANG_COMPILE_ERRORS_H

#include <stddef.h>

#include "base/error.h"

/* `messages`: clang's output, or NULL. Nothing is shown of a file that lies in none of `folders` (confine_compiler.h).
 * `memory`: the bytes that clang could use, for a message where they were too few. Returns -1. */
int compile_error(const char *source, const char *messages, const char *folders, size_t memory, struct error *error);

#endif
