/* Merged loads: neighbouring loads of local memory that one instruction does.
 *
 * A compiler that knows where a work-group's local memory lies makes one wide load of several narrow ones if they stand
 * in one block, no store to local memory or barrier is between them, each begins where the one before ends, and
 * together they are 2^n bytes that are aligned to their size. A trace has no symbolic addresses, so two loads are
 * neighbours if they are so in all executions by all work-items of the trace, with addresses that are affine in local
 * id and loop counters. Loads of global memory are not merged: the alignment of a pointer argument is that of its type.
 *
 * The first load of each group loads everything, and the others do nothing: `code` is a copy of the trace's code table
 * in which the first has the bytes of all and the earliest of their first uses, and `merged` marks the others.
 * Ownership: merged_loads_init allocates, merged_loads_clear frees; all arrays of the trace's code except `ops` are
 * shared. Errors: memory. Cost: O(loads of local memory x sites and work-groups), none without such loads. Threads:
 * read-only once made. Source: Larsen, Amarasinghe, "Exploiting Superword Level Parallelism with Multimedia Instruction
 * Sets", PLDI 2000 (adjacent memory references become one); LLVM, LoadStoreVectorizer, which its compilers for GPUs
 * run. */
#ifndef MODEL_MERGED_LOADS_H
#define MODEL_MERGED_LOADS_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

struct merged_loads {
  struct trace_code code; /* the trace's code, with its own operations if any load is merged */
  bool *merged;           /* [op_count]: an earlier operation of the block does the load; NULL: none is merged */
};

/* Finds the merged loads of a trace, each of at most `most_bytes` bytes; 0: none are merged. */
int merged_loads_init(struct merged_loads *loads, const struct trace *trace, uint32_t most_bytes, struct error *error);
void merged_loads_clear(struct merged_loads *loads);

#endif
