/* SPIRV-Tools as programs: checks a module, and replaces constructs that the translation does not support.
 *
 * Modules come from captured programs. spirv-val has to accept a module before other code reads it. Each program
 * runs in a process with limits on time and memory. Cost: about 3 ms a program. */
#ifndef GRAPHICS_SPIRV_TOOLS_H
#define GRAPHICS_SPIRV_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Validates the module by Vulkan's rules (with blocks of scalar layout, as zink writes them), and inlines
 * functions. The caller frees *out. An invalid module is ERROR_INPUT with the validator's text. */
int spirv_tools_prepare(const uint32_t *words, size_t count, uint32_t **out, size_t *out_count, struct error *error);
/* Returns what decides the result of spirv_tools_prepare beside the module: which programs run. The caller frees it.
 * NULL: one of them is not there, or memory ran out. */
char *spirv_tools_identity(void);

#endif
