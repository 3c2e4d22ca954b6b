/* Passes that describe the optimised kernel for the trace. Private to tracegen/lower. Each returns 0, or -1 with
 * l->error set. */
#ifndef TRACEGEN_DESCRIBE_H
#define TRACEGEN_DESCRIBE_H

#include "tracegen/lower/ir/lowering.h"

/* Fills program->code, ir, accesses and counted_ops, and l->blocks, access_instructions and image_accesses. */
int code_table_build(struct lowering *l);
/* Fills program->registers and early_load_registers; after the code table, before any recording is added. */
int registers_estimate(struct lowering *l);
/* Fills program->inputs; after the code table, before any recording is added. */
int trace_inputs_find(struct lowering *l);

#endif
