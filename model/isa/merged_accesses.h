/* Merged accesses: neighbouring loads, or stores, of local memory that one instruction does.
 *
 * A compiler that knows where a work-group's local memory lies makes one wide access of several narrow ones if they
 * stand in one block, each begins where the one before ends, and together they are 2^n bytes that are aligned to their
 * size. Between loads there may be no store to local memory and no barrier. Between stores there may be no other access
 * to local memory at all: the compiler does not know whether a store with another address register writes the same
 * bytes. A trace has no symbolic addresses, so two accesses are neighbours if they are so in all executions by all
 * work-items of the trace, with addresses that are affine in local id and loop counters. Accesses to global memory are
 * not merged: the alignment of a pointer argument is that of its type.
 *
 * The first load of each group loads everything, the last store stores everything, and the others do nothing: in the
 * arranged code that one has the bytes of all and the addresses of the first. A load has the earliest of the first
 * uses of all; what uses loaded values is the store that is done.
 * Ownership: the arranged code's own operations are changed. Errors: -1, no memory. Cost: O(accesses to local memory x
 * sites and work-groups), none without such accesses. Source: Larsen, Amarasinghe, "Exploiting Superword Level
 * Parallelism with Multimedia Instruction Sets", PLDI 2000 (adjacent memory references become one); LLVM,
 * LoadStoreVectorizer, which its compilers for GPUs run. */
#ifndef MODEL_MERGED_ACCESSES_H
#define MODEL_MERGED_ACCESSES_H

#include "model/isa/arranged_code.h"

struct merged_bytes { /* of an access that several became, at most; 0: none become one */
  uint32_t load, store;
};

/* Merges accesses in arranged code that has its own operations. */
int merged_accesses_find(struct arranged_code *arranged, const struct trace *trace, struct merged_bytes most);

#endif
