/* The places of a kernel's instructions, in lines of the instruction cache: blocks lie one after another in the order
 * of their code addresses, each as long as the ISA profile says.
 *
 * A *piece* is the part of a block that a run executes between two events: piece i ends at event i of the price list;
 * the last one of each block at its end. Ownership: code_lines_init allocates, code_lines_clear frees. Errors: a
 * profile without sizes of code, too many lines, memory. Cost: O(operations). Threads: read-only once made. */
#ifndef MODEL_CODE_LINES_H
#define MODEL_CODE_LINES_H

#include <stdint.h>

#include "base/error.h"
#include "model/isa/isa.h"
#include "model/isa/price.h"
#include "trace/code.h"

#define CODE_MOST_LINES 65536u /* largest number of lines of a kernel; real ones have hundreds */

struct code_piece { /* lines [first, end) */
  uint32_t first, end;
};

struct code_lines {
  struct code_piece *events; /* by event of the price list */
  struct code_piece *tails;  /* by block */
  uint32_t count;            /* number of lines of the kernel */
};

int code_lines_init(struct code_lines *lines, const struct trace_code *code, const struct isa_profile *isa,
                    const struct price_list *prices, uint32_t line_bytes, struct error *error);
void code_lines_clear(struct code_lines *lines);

#endif
