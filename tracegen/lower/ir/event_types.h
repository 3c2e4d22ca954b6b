/* OpenCL's event_t (OpenCL 1.2, section 6.12.10) as a value that a host has. */
#ifndef TRACEGEN_EVENT_TYPES_H
#define TRACEGEN_EVENT_TYPES_H

#include <llvm-c/Core.h>

#include "base/error.h"

/* From LLVM 16 on clang gives event_t a type of SPIR-V's, which no host has code for. Replaces *module by one in which
 * it is the pointer that PoCL's built-in functions take; modules without asynchronous copies stay as they are, as all
 * do with an older LLVM. -1: *module is the old one. */
int event_types_to_pointers(LLVMContextRef context, LLVMModuleRef *module, struct error *error);

#endif
