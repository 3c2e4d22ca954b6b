/* The code of a tile's launch, made from that of a fragment trace. Private to graphics/tile. */
#ifndef GRAPHICS_TILE_CODE_H
#define GRAPHICS_TILE_CODE_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

/* Block 0 is new: work-items that fill up a work-group go from it to the last block, the others to block 1, which was
 * block 0. */
struct tile_code {
  struct trace_code code; /* names are borrowed from the trace */
  bool *kept;             /* by operation of the old code: a memory operation that stays one */
};

int tile_code_create(const struct trace *fragments, struct tile_code *out, struct error *error);
void tile_code_clear(struct tile_code *code);

#endif
