/* The code of a launch in which several draws run: that of all their shaders, and of plain accesses to memory.
 *
 * Shapes: block 0 is the entry and the last block the end of every work-item. Between them stand a block for each kind
 *         of plain access, and the blocks of each shader. Draws whose traces have the same code share one shader. Plain
 *         accesses to vertices and depths have a name, and so have a vertex shader's reads of attributes: what a GPU
 *         may have a cache for (model/cache/graphics_caches.h).
 * Ownership: launch_code_clear frees; names are borrowed from the traces. Errors: more than 65,535 blocks are
 *         ERROR_INPUT; memory. Cost: linear in the code, times the number of different shaders. */
#ifndef GRAPHICS_LAUNCH_CODE_H
#define GRAPHICS_LAUNCH_CODE_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

struct launch_shader {
  const struct trace *trace; /* the first with this code */
  struct trace_op *ops;      /* as they run (tile_code.h) */
  bool *kept;                /* by operation: it is a memory operation */
  bool *attributes;          /* by operation: it reads an attribute of a vertex */
  uint32_t first_block;      /* the number of the shader's block 0 */
};

struct launch_code {
  struct trace_code code;
  struct launch_shader *shaders;
  size_t shader_count, shader_room, name_room;
  uint32_t *shader_of; /* by trace */
};

/* `fragments`: they are traces of fragment shaders, whose inputs, outputs and derivatives have units of their own. */
int launch_code_create(const struct trace *const *traces, size_t count, bool fragments, struct launch_code *out,
                       struct error *error);
void launch_code_clear(struct launch_code *code);

enum launch_what { LAUNCH_COLOR, LAUNCH_DEPTH, LAUNCH_VERTEX, LAUNCH_WHATS };

/* Returns the block of a plain access of 1, 2, 4, 8 or 16 bytes. */
uint16_t launch_code_access(uint32_t bytes, bool stores, enum launch_what what);

#endif
