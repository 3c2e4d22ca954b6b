/* OpenCL's event_t as a value that the host has. Private to tracegen/lower/ir. Source: OpenCL C 1.2, section
 * 6.12.10. */
#ifndef TRACEGEN_EVENT_TYPES_H
#define TRACEGEN_EVENT_TYPES_H

#include <llvm-c/Core.h>

#include "base/error.h"

/* From LLVM 16 on clang gives event_t a SPIR-V type, for which no host has code. Replaces *module by one in which it
 * is the pointer that PoCL's built-in functions take. A module without asynchronous copies, or of an older LLVM,
 * stays as it is. After an error (-1) *module is the old one. */
int event_types_to_pointers(LLVMContextRef context, LLVMModuleRef *module, struct error *error);

#endif
