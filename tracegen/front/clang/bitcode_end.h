/* Whether LLVM bitcode that comes through a pipe is all there. Private to tracegen. */
#ifndef TRACEGEN_BITCODE_END_H
#define TRACEGEN_BITCODE_END_H

#include <stdbool.h>
#include <stddef.h>

/* A module and, behind it, the table of its strings, which is what LLVM writes last. Source: LLVM Bitcode File Format,
 * "Blocks" and "STRTAB_BLOCK". Cost: one step a block of the top level, a handful. */
bool bitcode_is_complete(const char *data, size_t length);

#endif
