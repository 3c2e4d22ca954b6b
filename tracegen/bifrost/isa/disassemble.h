/* Listings of Bifrost machine code, in the words of the open driver's own.
 *
 * Shapes: a listing names clauses by the number of their first quadword: "clause_12:".
 * Threads: no state. */
#ifndef TRACEGEN_BIFROST_DISASSEMBLE_H
#define TRACEGEN_BIFROST_DISASSEMBLE_H

#include <stdio.h>

#include "tracegen/bifrost/isa/clause.h"

/* Writes the lines of a clause that stands `quadword` quadwords behind the program's start. */
void clause_disassemble(const struct clause *clause, unsigned quadword, FILE *out);
/* Writes all clauses of a program, which ends at a quadword whose first 32 bits are zero or at `size` bytes. */
int program_disassemble(const uint8_t *code, size_t size, FILE *out, struct error *error);

#endif
