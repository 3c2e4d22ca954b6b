/* The operations of a fragment trace as a GPU runs them that has units for inputs, outputs and derivatives: a read of
 * an interpolated input is a multiply-add a word, a write of an output is free, and a derivative is an addition instead
 * of an exchange through local memory. Inputs and texels come as halves where they are converted to halves, and outputs
 * may be halves (Mesa, ISA.xml of Bifrost: register formats of LD_VAR and BLEND, TEXS_2D.f16), so that such a
 * conversion is free. Private to graphics/tile.
 *
 * Errors: memory. Cost: the executions of one work-group of each shape. */
#ifndef GRAPHICS_TILE_CODE_H
#define GRAPHICS_TILE_CODE_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

/* Rewrites `ops`, a copy of the trace's operations. */
int tile_code_rewrite(const struct trace *fragments, struct trace_op *ops, struct error *error);
/* Sets which operations of a trace before the rasteriser read attributes, or outputs of the stage before. Barriers of
 * the work-items of a patch, which run in lockstep, and the local memory by which they exchange outputs become moves
 * among `ops`, a copy of the trace's. */
int tile_code_attributes(const struct trace *vertices, struct trace_op *ops, bool *attributes, struct error *error);
/* Makes moves of those shuffles of halves among `ops`, a copy of the code's, that are swizzles of operands
 * (half_swizzles.c). Errors: memory. Cost: a pass over the code for each step of the longest chain of swizzles. */
int half_swizzles_drop(const struct trace_code *code, struct trace_op *ops, struct error *error);

#endif
