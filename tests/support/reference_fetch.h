/* A slow and simple reference of instruction fetch: every executed operation, one after another. */
#ifndef SUPPORT_REFERENCE_FETCH_H
#define SUPPORT_REFERENCE_FETCH_H

#include <stdlib.h>

#include "model/params/gpu.h"
#include "model/isa/isa.h"

/* The lines of code in order of execution. */
struct reference_lines_of_code {
  uint64_t *lines;
  uint32_t count, capacity;
};

static inline uint64_t reference_bytes_of(const struct trace_code *code, const struct isa_profile *isa, uint32_t op) {
  uint32_t bytes = 0;
  if (isa_op_bytes(isa, code, &code->ops[op], &bytes, NULL))
    abort();
  return bytes;
}

/* Returns the bytes of all blocks that lie before block `b`. */
static inline uint64_t reference_block_begin(const struct trace_code *code, const struct isa_profile *isa, uint32_t b) {
  uint64_t sum = 0;
  for (uint32_t other = 0; other < code->block_count; other++) {
    uint32_t mine = code->blocks[b].code_address, its = code->blocks[other].code_address;
    for (uint32_t i = 0; i < code->blocks[other].op_count && (its < mine || (its == mine && other < b)); i++)
      sum += reference_bytes_of(code, isa, code->blocks[other].first_op + i);
  }
  return sum;
}

/* Returns [op_count + 1] beginnings of operations in bytes. `order`: the operations as they are done, in which their
 * code lies. The caller frees them. */
static inline uint64_t *reference_code_begins(const struct trace_code *code, const struct isa_profile *isa,
                                              const uint32_t *order) {
  uint64_t *begins = calloc(code->op_count + 1u, sizeof *begins);
  for (uint32_t b = 0; b < code->block_count; b++) {
    uint64_t at = reference_block_begin(code, isa, b);
    for (uint32_t i = code->blocks[b].first_op; i < code->blocks[b].first_op + code->blocks[b].op_count; i++) {
      begins[order[i]] = at;
      at += reference_bytes_of(code, isa, order[i]);
    }
  }
  return begins;
}

/* Adds the lines of an operation that is executed. */
static inline void reference_fetch(struct reference_lines_of_code *c, uint64_t begin, uint64_t bytes, int64_t line) {
  for (uint64_t i = begin / (uint64_t)line; bytes > 0 && i <= (begin + bytes - 1) / (uint64_t)line; i++) {
    if (c->count == c->capacity) {
      c->capacity = c->capacity ? 2 * c->capacity : 16;
      c->lines = realloc(c->lines, c->capacity * sizeof *c->lines);
    }
    c->lines[c->count++] = i;
  }
}

#endif
