/* Basic blocks of a shader: which clauses begin one, and which follow each other. Private to bifrost/trace. */
#ifndef TRACEGEN_BIFROST_TRACE_MACHINE_BLOCKS_H
#define TRACEGEN_BIFROST_TRACE_MACHINE_BLOCKS_H

#include "tracegen/bifrost/trace/machine_code.h"

/* Returns whether the last ADD slot of the clause may branch. */
bool clause_branches(const struct bifrost_shader *shader, const struct shader_clause *clause);
/* Returns whether a work-item never goes from the clause to the next one. */
bool clause_never_falls_through(const struct bifrost_shader *shader, const struct shader_clause *clause);
bool clause_has_barrier(const struct bifrost_shader *shader, const struct shader_clause *clause);
/* Sets block_of_clause and the blocks' places, successors and post-dominators. Their operations are still unknown. */
int machine_blocks_find(const struct bifrost_shader *shader, struct machine_code *out, struct error *error);

#endif
