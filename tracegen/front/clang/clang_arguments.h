/* Clang's arguments, as the text of a response file, made of OpenCL's build options: for a source in a file, or for one
 * that comes through standard input. Private to this front end.
 *
 * Errors: a failure to allocate stays in `out`. */
#ifndef TRACEGEN_FRONT_CLANG_CLANG_ARGUMENTS_H
#define TRACEGEN_FRONT_CLANG_CLANG_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/format/bytes.h"

/* `words`: from opencl_options_split. */
void clang_arguments(char **words, size_t count, const char *source, struct bytes *out);
/* The same for a source through standard input, after the text of clang_prelude. Definitions are in that text, and
 * folders are left out, because such a source includes no other file. */
void clang_stream_arguments(char **words, size_t count, struct bytes *out);
/* Folders that such a source may include files of: its own, those of -I, and those that a definition gives
 * (-D NAME=/FOLDER); texts, each with its NUL, and an empty one. */
void clang_folders(char **words, size_t count, const char *source, struct bytes *out);
/* Appends the text to send before such a source. Returns false when a definition cannot be written as a line. */
bool clang_prelude(char **words, size_t count, struct bytes *out);

#endif
