/* Clang's messages about kernels that do not compile, as one error. Private to this front end. */
#ifndef TRACEGEN_FRONT_CLANG_COMPILE_ERRORS_H
#define TRACEGEN_FRONT_CLANG_COMPILE_ERRORS_H

#include "base/error.h"

/* `messages`: clang's output, or NULL. Nothing is shown of a file that lies in none of `folders` (confine_compiler.h).
 * Returns -1. */
int compile_error(const char *source, const char *messages, const char *folders, struct error *error);

#endif
