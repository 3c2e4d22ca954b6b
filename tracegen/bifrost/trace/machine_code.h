/* The code table of a Bifrost shader, with each slot of each tuple as an operation: the exact counts of the machine.
 *
 * Shapes:  a basic block is one or more clauses. Each tuple gives two operations, that of the FMA unit and that of the
 *          ADD unit. A slot that stays empty is an operation of class OP_MOVE and type TYPE_VOID. A barrier stands
 *          behind the other operations of its clause, because the clause's tuples have run when it is reached.
 *          A load's first use is the first operation of the first clause that waits for its scoreboard slot.
 * Ownership: machine_code_create fills *out, machine_code_clear frees it.
 * Errors:  ERROR_WORK where memory runs out. Threads: constant after its creation. */
#ifndef TRACEGEN_BIFROST_TRACE_MACHINE_CODE_H
#define TRACEGEN_BIFROST_TRACE_MACHINE_CODE_H

#include "trace/code.h"
#include "tracegen/bifrost/exec/shader.h"

struct machine_code {
  struct trace_code code;
  uint32_t exit_block;       /* without operations, where a branch ends the work-item; TRACE_NO_BLOCK: no branch does */
  char *text;                /* the lines of the listing, each with its end */
  char **listing;            /* [code.op_count]: the line of each slot in `text`, or an empty one */
  uint32_t *block_of_clause; /* by clause: the block that begins with it, or TRACE_NO_BLOCK */
};

int machine_code_create(const struct bifrost_dispatch *dispatch, const struct bifrost_shader *shader,
                        struct machine_code *out, struct error *error);
void machine_code_clear(struct machine_code *code);

/* Returns the bytes that a load, store or atomic operation of one work-item accesses. */
uint16_t machine_access_bytes(const struct operation *operation);

#endif
