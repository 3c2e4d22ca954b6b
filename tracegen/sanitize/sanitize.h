/* Passes that find reads of undefined values, and accesses and divisions that the optimiser removes before anything
 * can check them. docs/undefined-reads.md explains the method. Private to tracegen/lower and tracegen/sanitize.
 *
 * A kernel is compiled at most twice. The version that is traced is examined before and after optimisation; where
 * something may be missed, program->needs_checking is set. The other version (program->is_dry_run) runs before it
 * and is never traced: it propagates shadow values and has traps. Each pass returns 0, or -1 with l->error set. */
#ifndef TRACEGEN_SANITIZE_H
#define TRACEGEN_SANITIZE_H

#include "tracegen/lower/ir/lowering.h"

/* Definite initialisation (uninitialised_variables.c): a trap in front of each read of a private variable that no path
 * writes before. Sets l->may_read_uninitialised where some path does not. Before anything is inlined. */
int uninitialised_variables_find(struct lowering *l);

/* Shadow values (shadow_propagation.c), with all functions linked: propagates them through the kernel of a dry run; or
 * tries it in a copy of a traced version, which needs checking when a trap remains in the copy. */
int shadow_propagate(struct lowering *l);
int shadow_probe(struct lowering *l);

/* Divisions by a constant zero (zero_divisors.c): traps in front of them; the first pass of all. */
int zero_divisors_trap(struct lowering *l);
/* Other divisions (elided_divisions.c): notes the lines that divide, before anything is linked; compares with what the
 * optimiser left; and, in a dry run, puts a trap in front of each. */
int elided_divisions_note(struct lowering *l);
int elided_divisions_find(struct lowering *l);
int elided_divisions_trap(struct lowering *l);

/* Loads (elided_loads.c): notes the lines that load, before anything is linked; compares with what the optimiser left;
 * and, in a dry run, keeps all loads. */
int elided_loads_note(struct lowering *l);
int elided_loads_find(struct lowering *l);
int elided_loads_keep(struct lowering *l);

/* Accesses outside of private variables (elided_accesses.h). */
int elided_accesses_number(struct lowering *l);
bool elided_accesses_possible(const struct lowering *l);
int elided_accesses_find(struct lowering *l);

/* Large private variables (shadow_stores.h): whether the optimiser took some out of memory. */
int large_variables_find(struct lowering *l);

/* Uses of loaded values (load_uses.c): marks the loads of the source before optimisation; fills the fields of
 * program->accesses that are about undefined memory, with the code table. */
int load_uses_mark(struct lowering *l);
int load_uses_classify(struct lowering *l);

#endif
