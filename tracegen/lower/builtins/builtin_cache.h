/* Built-in functions on disk: bitcode of a few of PoCL's functions with all they call, so that a kernel that needs them
 * does not read the whole library (35 ms) but some kilobytes. Private to tracegen.
 *
 * Lies in $REASSEMBLE_CACHE ("none": nothing is read or kept), else $XDG_CACHE_HOME/reassemble, else
 * ~/.cache/reassemble: a pack holds the functions that one kernel missed, under one hard link a function. A pack begins
 * with what it was made from (library, its size and time of change, LLVM) and a checksum; one that does not fit is as
 * good as none and is replaced. Packs appear whole or not at all; before they take more than 64 MiB, all are deleted.
 * Errors: none; what cannot be read or kept costs time only. */
#ifndef TRACEGEN_BUILTIN_CACHE_H
#define TRACEGEN_BUILTIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A pack with this function. The caller frees *memory; *bitcode lies in it. */
bool builtin_cache_find(const char *function, char **memory, const char **bitcode, size_t *length);
void builtin_cache_keep(const char *const *functions, size_t count, const char *bitcode, size_t length);

#endif
