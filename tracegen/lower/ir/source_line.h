/* Where in the kernel's source an instruction comes from. Private to tracegen/lower and tracegen/sanitize.
 *
 * Functions of headers are inlined into the kernel, but messages and traces know one file. So an instruction from a
 * header counts as the line of the kernel's file that calls it. Cost: a step for each call between the two. */
#ifndef TRACEGEN_SOURCE_LINE_H
#define TRACEGEN_SOURCE_LINE_H

#include "tracegen/lower/ir/lowering.h"

/* The line of the kernel's file that an instruction comes from; 0: unknown. */
unsigned source_line(const struct lowering *l, LLVMValueRef instruction);
/* The same. A load that the optimiser moved out of a loop has no line; it gets the first line that uses its value,
 * unless it joins the loads of two branches. Cost: a step for each use. */
unsigned source_line_or_use(const struct lowering *l, LLVMValueRef instruction);
/* The line at which a function is defined; 0: unknown. */
unsigned source_line_of_function(LLVMValueRef function);
/* The file that a function is defined in; NULL: unknown. */
LLVMMetadataRef source_file_of(LLVMValueRef function);

/* The line that an instruction has itself, and in `file` the name of the file with that line, which may be a header.
 * For messages before anything is inlined. Cost: a copy of the name. */
unsigned source_place(const struct lowering *l, LLVMValueRef instruction, char *file, size_t size);

#endif
