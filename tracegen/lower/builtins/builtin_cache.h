/* A cache on disk of bitcode of PoCL's built-in functions with all that they call, so that a kernel reads some
 * kilobytes instead of the whole library (35 ms). Private to tracegen/lower/builtins.
 *
 * The cache lies in $REASSEMBLE_CACHE ("none": no cache), else in $XDG_CACHE_HOME/reassemble, else in
 * ~/.cache/reassemble.
 * Shapes: a pack holds the functions that one kernel missed, with one hard link for each function. It begins with
 * what it was made from (library, its size and time of change, LLVM) and a checksum; one that does not fit is
 * replaced. Packs appear whole or not at all. Before all packs take more than 64 MiB, they are deleted.
 * Errors: none; what cannot be read or written costs time only. */
#ifndef TRACEGEN_BUILTIN_CACHE_H
#define TRACEGEN_BUILTIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a pack with this function. The caller frees *memory; *bitcode lies in it. */
bool builtin_cache_find(const char *function, char **memory, const char **bitcode, size_t *length);
void builtin_cache_keep(const char *const *functions, size_t count, const char *bitcode, size_t length);

#endif
