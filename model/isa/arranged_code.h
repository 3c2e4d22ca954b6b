/* Arranged code: the code table of a trace as a compiler for the GPU arranges its accesses to local memory. Stores are
 * late (late_stores.h), and neighbouring accesses are one instruction (merged_accesses.h).
 *
 * `code` is the trace's code table, with operations and memory operations of its own where anything changes; an
 * operation stays in its block. The paths and streams of the trace keep their order, so a memory operation of `code`
 * says which memory operation of the trace has its addresses. Ownership: arranged_code_init allocates,
 * arranged_code_clear frees; the other arrays of the trace's code are shared. Errors: memory.
 * Cost: O(operations), and what merging costs. Threads: read-only once made. */
#ifndef MODEL_ARRANGED_CODE_H
#define MODEL_ARRANGED_CODE_H

#include <stdbool.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "trace/trace.h"

struct arranged_code {
  struct trace_code code;
  bool *merged; /* [op_count]: another operation of the block does this access; NULL: nothing is arranged */
  uint32_t *own_operand_end, *own_operands; /* those of `code`; NULL: it has the trace's */
  uint32_t *addresses_of; /* [mem_count]: the memory operation of the trace whose addresses it has; NULL: its own */
};

int arranged_code_init(struct arranged_code *arranged, const struct trace *trace, const struct gpu_spec *spec,
                       struct error *error);
void arranged_code_clear(struct arranged_code *arranged);

#endif
