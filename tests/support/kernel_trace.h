/* Executions of two well-known kernels, item by item, for size tests and benchmarks: a plain matrix product (regular)
 * and a sparse matrix-vector product with random columns (irregular). They consist of blocks and addresses, as an
 * emulator records them. */
#ifndef SUPPORT_KERNEL_TRACE_H
#define SUPPORT_KERNEL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"
#include "trace/write/writer.h"

/* A kernel of three blocks: entry, loop, exit; the loop block has `loads` loads and `operations` operations. */
struct kernel_trace {
  struct trace_header header;
  struct trace_code code;
  struct trace_op ops[32];
  struct trace_block blocks[3];
  uint32_t mem_ops[8], successors[4];
  uint32_t n;
  uint16_t *item_blocks;
  uint32_t *item_addresses;
  size_t block_count, address_count; /* of the item that was made last */
};

void kernel_trace_gemm(struct kernel_trace *k, uint32_t n, uint32_t local_x, uint32_t local_y);
void kernel_trace_spmv(struct kernel_trace *k, uint32_t rows, uint32_t local);
/* These functions fill item_blocks and item_addresses. */
void kernel_trace_gemm_item(struct kernel_trace *k, uint32_t x, uint32_t y);
void kernel_trace_spmv_item(struct kernel_trace *k, uint32_t row);
/* Writes the trace of a matrix product of 2 x 2 in one work-group, whose operations have the lines of code `ir`; NULL:
 * none. Returns whether it was written. */
bool kernel_trace_write_listed(struct kernel_trace *k, char **ir, const char *path);
void kernel_trace_clear(struct kernel_trace *k);

#endif
