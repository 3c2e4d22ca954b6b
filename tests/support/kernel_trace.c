#include "kernel_trace.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROW 48 /* the most non-zeros in a line of the sparse matrix */

static void add_ops(struct kernel_trace *k, uint32_t block, uint32_t loads, uint32_t stores, uint32_t others) {
  struct trace_code *c = &k->code;
  struct trace_block *b = &k->blocks[block];
  *b = (struct trace_block){.first_op = c->op_count, .first_mem = c->mem_count, .ipdom = block + 1};
  for (uint32_t i = 0; i < loads + stores + others; i++) {
    struct trace_op op = {.op_class = i < loads                          ? OP_LOAD
                                      : i < loads + stores               ? OP_STORE
                                      : i + 1 == loads + stores + others ? OP_BRANCH
                                                                         : OP_INT_ADD,
                          .type = TYPE_F32,
                          .width = 1,
                          .bytes = i < loads + stores ? 4 : 0,
                          .first_use = TRACE_NO_OP,
                          .name = TRACE_NO_NAME};
    if (i < loads + stores)
      k->mem_ops[c->mem_count++] = c->op_count;
    k->ops[c->op_count++] = op;
  }
  b->op_count = c->op_count - b->first_op;
  b->mem_count = c->mem_count - b->first_mem;
}

/* Makes a kernel whose paths are blocks 0 -> 1 -> 1 ... -> 2. */
static void make(struct kernel_trace *k, uint32_t entry_loads, uint32_t loads, uint32_t others, size_t max_loop) {
  static char nothing[] = "", name[] = "kernel";
  struct trace_header *h = &k->header;
  h->kernel = name;
  h->workload = h->source_file = h->source_digest = h->options = h->front_end = nothing;
  k->code = (struct trace_code){.ops = k->ops,
                                .blocks = k->blocks,
                                .block_count = 3,
                                .mem_ops = k->mem_ops,
                                .successors = k->successors,
                                .successor_count = 3};
  add_ops(k, 0, entry_loads, 0, 8);
  add_ops(k, 1, loads, 0, others);
  add_ops(k, 2, 0, 1, 2);
  memcpy(k->successors, (uint32_t[]){1, 1, 2}, 3 * sizeof(uint32_t));
  k->blocks[0].successor_count = 1;
  k->blocks[1].first_successor = 1;
  k->blocks[1].successor_count = 2;
  k->blocks[2].first_successor = 3;
  k->blocks[2].ipdom = TRACE_NO_BLOCK;
  k->item_blocks = malloc((max_loop + 2) * sizeof *k->item_blocks);
  k->item_addresses = malloc((max_loop * loads + 4) * sizeof *k->item_addresses);
  if (!k->item_blocks || !k->item_addresses)
    abort();
}

void kernel_trace_gemm(struct kernel_trace *k, uint32_t n, uint32_t local_x, uint32_t local_y) {
  *k = (struct kernel_trace){.n = n};
  k->header.dimensions = 2;
  for (int d = 0; d < 3; d++)
    k->header.global[d] = d < 2 ? n : 1;
  memcpy(k->header.local, (uint32_t[]){local_x, local_y, 1}, sizeof k->header.local);
  make(k, 0, 2, 13, n);
}

void kernel_trace_gemm_item(struct kernel_trace *k, uint32_t x, uint32_t y) {
  const uint32_t n = k->n, matrix = 4 * n * n;
  uint16_t *b = k->item_blocks;
  uint32_t *a = k->item_addresses;
  *b++ = 0;
  for (uint32_t i = 0; i < n; i++) {
    *b++ = 1;
    *a++ = 4 * (y * n + i);
    *a++ = matrix + 4 * (i * n + x);
  }
  *b++ = 2;
  *a++ = 2 * matrix + 4 * (y * n + x);
  k->block_count = (size_t)(b - k->item_blocks);
  k->address_count = (size_t)(a - k->item_addresses);
}

void kernel_trace_spmv(struct kernel_trace *k, uint32_t rows, uint32_t local) {
  *k = (struct kernel_trace){.n = rows};
  k->header.dimensions = 1;
  memcpy(k->header.global, (uint64_t[]){rows, 1, 1}, sizeof k->header.global);
  memcpy(k->header.local, (uint32_t[]){local, 1, 1}, sizeof k->header.local);
  make(k, 2, 3, 14, MAX_ROW);
}

static uint32_t scramble(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/* Each work-item has 8 to MAX_ROW non-zeros; values and column numbers lie one after the other, x is read at the
 * column. */
void kernel_trace_spmv_item(struct kernel_trace *k, uint32_t row) {
  const uint32_t count = 8 + scramble(row) % (MAX_ROW - 8), first = row * MAX_ROW;
  uint16_t *b = k->item_blocks;
  uint32_t *a = k->item_addresses, column = scramble(row + 77) % (k->n / 2);
  *b++ = 0;
  *a++ = 4 * row;
  *a++ = 4 * row + 4;
  for (uint32_t i = 0; i < count; i++) {
    *b++ = 1;
    *a++ = (1u << 24) + 4 * (first + i);
    *a++ = (2u << 24) + 4 * (first + i);
    column = (column + 1 + scramble(first + i) % 64) % k->n;
    *a++ = (3u << 24) + 4 * column;
  }
  *b++ = 2;
  *a++ = (4u << 24) + 4 * row;
  k->block_count = (size_t)(b - k->item_blocks);
  k->address_count = (size_t)(a - k->item_addresses);
}

bool kernel_trace_write_listed(struct kernel_trace *k, char **ir, const char *path) {
  struct trace_writer *w;
  struct trace_header header = k->header;
  header.ir = ir;
  header.ir_count = ir ? k->code.op_count : 0;
  bool written = trace_writer_open(path, &header, &k->code, &w, NULL) == 0;
  if (!written)
    return false;
  written = trace_writer_group_begin(w, 0) == 0;
  for (uint32_t i = 0; i < 4 && written; i++) {
    kernel_trace_gemm_item(k, i % 2, i / 2);
    written = trace_writer_item(w, i, k->item_blocks, k->block_count, k->item_addresses, k->address_count, NULL) == 0;
  }
  written = written && trace_writer_group_end(w, NULL) == 0;
  return trace_writer_close(w, NULL) == 0 && written;
}

void kernel_trace_clear(struct kernel_trace *k) {
  free(k->item_blocks);
  free(k->item_addresses);
  *k = (struct kernel_trace){0};
}
