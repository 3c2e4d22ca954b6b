/* LLVM's library, which is loaded at the first call of one of its functions where the build has stubs of them
 * (cmake/LazyLibrary.cmake; x86-64 without sanitizers): loading takes 13 ms and 43 MB, and a process that compiles no
 * kernel does without. Elsewhere it is loaded with the program. Private to tracegen/lower.
 *
 * Errors: a library that cannot be loaded. Threads: one at a time. */
#ifndef TRACEGEN_LOWER_LLVM_LIBRARY_H
#define TRACEGEN_LOWER_LLVM_LIBRARY_H

#include "base/error.h"

/* Loads the library, so that functions of LLVM can be called and processes that are forked have it, too. A second call
 * does nothing. A call of a function without it ends the process where the library cannot be loaded. */
int llvm_library_load(struct error *error);

#endif
