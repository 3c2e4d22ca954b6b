/* The end of LLVM bitcode that comes through a pipe. Private to this front end. */
#ifndef TRACEGEN_FRONT_CLANG_BITCODE_END_H
#define TRACEGEN_FRONT_CLANG_BITCODE_END_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the bitcode is complete: a module, and after it the table of its strings, which LLVM writes last.
 * Source: LLVM Bitcode File Format, "Blocks" and "STRTAB_BLOCK". Cost: one step per block of the top level, a
 * handful. */
bool bitcode_is_complete(const char *data, size_t length);

#endif
