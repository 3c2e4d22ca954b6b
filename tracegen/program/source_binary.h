/* The binary of an OpenCL program that clGetProgramInfo returns to a captured program. It holds OpenCL C and build
 * options, so that the kernels can be emulated when the program loads the binary, in this run or in a later one.
 * Programs that keep binaries from run to run (hashcat, OpenCV, PyOpenCL) run unchanged.
 *
 * Shape: a line that says what it is, a line with the lengths of options and source in bytes, the options, the source.
 * Ownership: source_binary_read allocates two texts, which the caller frees. Errors: false where the bytes are not such
 * a binary, or memory ran out. Threads: any. Cost: a copy. Bytes are checked: they may come from anyone's file. */
#ifndef TRACEGEN_PROGRAM_SOURCE_BINARY_H
#define TRACEGEN_PROGRAM_SOURCE_BINARY_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes that source_binary_write writes. */
size_t source_binary_size(const char *options, const char *source);
void source_binary_write(const char *options, const char *source, unsigned char *to);
bool source_binary_read(const unsigned char *binary, size_t length, char **options, char **source);

#endif
