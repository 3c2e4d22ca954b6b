/* Errors are values with a place.
 *
 * Purpose: a function that can fail returns 0 when it has done its work and -1 when not. If the caller passed a struct
 *          error, the function says there what was found, what was expected and what to try. The first error wins: a
 *          later error_set on the same struct changes nothing.
 * Ownership: plain data without allocations; start from ERROR_INIT.
 * Threads: a struct error belongs to one thread at a time. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stdio.h>

enum error_kind {
  ERROR_NONE = 0,
  ERROR_INPUT, /* bad usage or input: the program exits 2 */
  ERROR_WORK,  /* the work failed (I/O, memory, time limit, a check): the program exits 1 */
};

struct error {
  enum error_kind kind;
  char file[512];        /* "" when no file is concerned */
  unsigned line, column; /* 1-based, 0 when unknown */
  char key[128];         /* YAML/JSON key or parameter name, "" when none */
  char text[4096];       /* one message, no trailing newline; may hold several lines (a compiler's output) */
};

/* clang-format off */
#define ERROR_INIT {.kind = ERROR_NONE}
/* clang-format on */

/* Both functions store the error in `error`, which may be NULL, and return -1, so that a function can end with `return
 * error_set(...)`. error_at also stores a place. */
int error_set(struct error *error, enum error_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
int error_at(struct error *error, enum error_kind kind, const char *file, unsigned line, unsigned column,
             const char *key, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Returns the kind of an error for which the system gives this errno: ERROR_WORK where it lacks memory, descriptors or
 * room, or a device fails; ERROR_INPUT where the name or the rights are to blame. */
enum error_kind error_kind_of(int number);

/* Stores "out of memory" of kind ERROR_WORK in `error`, which may be NULL. Returns -1. */
int error_no_memory(struct error *error);
/* Returns whether memory has run out, by the text of error_no_memory or one that begins like it. */
bool error_is_no_memory(const struct error *error);

/* Writes "file:line:column: key: text\n" with the parts that are known. */
void error_print(const struct error *error, FILE *out);

/* Returns the program's exit code for this error: 0, 1 or 2. */
int error_exit_code(const struct error *error);

#endif
