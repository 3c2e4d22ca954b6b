/* Where in the kernel's source an instruction comes from. Private to tracegen.
 *
 * Functions of headers are inlined into the kernel, whose messages and traces know one file: what comes from a header
 * counts as the line of the kernel's file that calls it. Cost: a step for each call between the two. */
#ifndef TRACEGEN_SOURCE_LINE_H
#define TRACEGEN_SOURCE_LINE_H

#include "tracegen/lower/lower.h"

/* 0: not known. */
unsigned source_line(const struct lowering *l, LLVMValueRef instruction);
/* The file that the function is defined in; NULL: not known. */
LLVMMetadataRef source_file_of(LLVMValueRef function);

/* The place itself, for what is said while building, before anything is inlined: the line that the instruction has, and
 * in `file` the name of the file where that is, which may be a header. Cost: a copy of the name. */
unsigned source_place(const struct lowering *l, LLVMValueRef instruction, char *file, size_t size);

#endif
