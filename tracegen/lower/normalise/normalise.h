/* Passes that bring a kernel into the form that the later passes expect. Private to tracegen/lower.
 *
 * Before optimisation: parameters_read, recursion_refuse, aggregates_split. After it: block_copies_expand,
 * barriers_split, block_order, variables_place. After the code table: contraction_undo. Each returns 0, or -1 with
 * l->error set. */
#ifndef TRACEGEN_NORMALISE_H
#define TRACEGEN_NORMALISE_H

#include "tracegen/lower/ir/lowering.h"

/* Fills program->parameters, program->required_local and program->required_sub_group. */
int parameters_read(struct lowering *l);
/* An error when a function can call itself, directly or through others. Runs before anything is inlined. */
int recursion_refuse(struct lowering *l);
/* Makes loads and stores of structures and arrays one access for each member. */
int aggregates_split(struct lowering *l);

/* Makes block copies loads and stores: straight code up to 4,096 bytes, else a loop. */
int block_copies_expand(struct lowering *l);
/* Makes each block end behind a barrier. */
int barriers_split(struct lowering *l);
/* Lays out the kernel's blocks: each loop in one piece, and what follows a loop behind it. */
int block_order(struct lowering *l);
/* Fills program->privates, locals and constants, and l->variables. */
int variables_place(struct lowering *l);

/* Makes each contracted multiply-add a multiplication and an addition. */
int contraction_undo(struct lowering *l);

#endif
