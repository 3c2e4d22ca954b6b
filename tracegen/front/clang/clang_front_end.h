/* The front end for OpenCL C: runs clang as a program of its own, and gives its bitcode to tracegen/lower.
 *
 * The bitcode is for the target spir64 and has gone through no optimisation pass; lower sets the host's data layout and
 * optimises. Errors: build options that OpenCL does not define and a source that clang rejects are ERROR_INPUT, the
 * latter with clang's text. Ownership: the caller frees the bitcode. Threads: these functions fork, so call them from a
 * process that has one thread. Private to this front end and its tests; others use front_end.h. */
#ifndef TRACEGEN_FRONT_CLANG_CLANG_FRONT_END_H
#define TRACEGEN_FRONT_CLANG_CLANG_FRONT_END_H

#include "tracegen/front/front_end.h"

extern const struct front_end front_end_clang;

/* Starts a compiler, unless one waits already. The compiler gets the arguments that the next source is expected to need
 * (those of the last source that clang_remember was given, at first none), so that it only waits for the source. */
void clang_expect(void);
/* Sources with these options are expected from now on. After two sources with different arguments none are expected,
 * until two in a row have the same. */
void clang_remember(const char *source, const char *options);
/* The next source is this one. Replaces the waiting compiler where its arguments do not fit. */
void clang_correct(const char *source, const char *options);

/* Returns whether clang has to compile the source: its bitcode is not kept from an earlier run. */
bool clang_is_needed(const char *source, const char *options);

/* Checks the options and starts compiling, unless the bitcode is kept; clang_finish waits for the end. One source at a
 * time. */
int clang_begin(const char *source, const char *options, struct error *error);
int clang_finish(const char *source, char **bitcode, size_t *length, struct error *error);

#endif
