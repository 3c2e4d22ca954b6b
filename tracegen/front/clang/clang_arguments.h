/* What clang is told: build options as OpenCL has them -> the text of a response file, for a source in a file or one
 * that comes through standard input. Private to tracegen.
 *
 * Errors: options outside OpenCL's list are ERROR_INPUT. */
#ifndef TRACEGEN_CLANG_ARGUMENTS_H
#define TRACEGEN_CLANG_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/format/bytes.h"

/* A response file's text; failure stays in `out`. */
void clang_arguments(char **words, size_t count, const char *source, struct bytes *out);
/* The same for a source that comes with what clang_prelude makes: definitions are left to that, and folders, because
 * such a source asks for no other file. */
void clang_stream_arguments(char **words, size_t count, struct bytes *out);
/* Folders that such a source may include files of: its own and those of -I; texts, each with its NUL, and an empty one. */
void clang_folders(char **words, size_t count, const char *source, struct bytes *out);
/* What to send in front of it; false: some definition cannot be written as a line. */
bool clang_prelude(char **words, size_t count, struct bytes *out);

#endif
