/* Bitcode of PoCL's built-in functions with all that they call, kept on disk (tracegen/abi/kept_file.h), so that a
 * kernel reads some kilobytes instead of the whole library (35 ms). Private to tracegen/lower/builtins.
 *
 * Shapes: a pack holds the functions that one kernel missed. Under the name of each function stands the key of the pack
 * that has it. All keys begin with what packs are made from: library, its size and time of change, LLVM.
 * Errors: none; what cannot be read or written costs time only. */
#ifndef TRACEGEN_BUILTIN_CACHE_H
#define TRACEGEN_BUILTIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "tracegen/abi/kept_file.h"

/* Finds a pack with this function. The caller frees out->memory. */
bool builtin_cache_find(const char *function, struct kept_data *out);
/* Keeps a pack with all these functions. */
void builtin_cache_keep(const char *const *functions, size_t count, const char *bitcode, size_t length);

#endif
