#include "trace/code.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "trace/format/limits.h"

const char *trace_op_class_name(enum trace_op_class c) {
  static const char *const names[OP_CLASS_COUNT] = {
#define X(id, name, meaning) name,
      TRACE_OP_CLASSES(X)
#undef X
  };
  assert((unsigned)c < OP_CLASS_COUNT);
  return names[c];
}

const char *trace_type_name(enum trace_type t) {
  static const char *const names[TYPE_COUNT] = {"void", "i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "ptr"};
  assert((unsigned)t < TYPE_COUNT);
  return names[t];
}

const char *trace_space_name(enum trace_space s) {
  static const char *const names[SPACE_COUNT] = {"global", "constant", "local", "private"};
  assert((unsigned)s < SPACE_COUNT);
  return names[s];
}

void trace_code_clear(struct trace_code *code) {
  for (uint32_t i = 0; code->names && i < code->name_count; i++)
    free(code->names[i]);
  free(code->names);
  free(code->ops);
  free(code->blocks);
  free(code->mem_ops);
  free(code->successors);
  free(code->operand_end);
  free(code->operands);
  *code = (struct trace_code){0};
}

static bool touches_memory(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
}

static int bad_op(struct error *error, uint32_t index, const char *what, unsigned found) {
  return error_set(error, ERROR_INPUT, "code table: operation %u: %s (found %u)", index, what, found);
}

static int check_op(const struct trace_code *code, uint32_t index, struct error *error) {
  const struct trace_op *op = &code->ops[index];
  if (op->op_class >= OP_CLASS_COUNT)
    return bad_op(error, index, "unknown class", op->op_class);
  if (op->type >= TYPE_COUNT)
    return bad_op(error, index, "unknown type", op->type);
  if (op->space >= SPACE_COUNT)
    return bad_op(error, index, "unknown address space", op->space);
  if (op->width == 0)
    return bad_op(error, index, "a vector width is at least 1", op->width);
  if (touches_memory(op) && op->bytes == 0)
    return bad_op(error, index, "a memory operation touches at least 1 byte", op->bytes);
  if (op->first_use != TRACE_NO_OP && op->first_use >= code->op_count)
    return bad_op(error, index, "first use is not an operation of the kernel", op->first_use);
  if (op->name != TRACE_NO_NAME && op->name >= code->name_count)
    return bad_op(error, index, "name index out of range", op->name);
  if (op->op_class == OP_MATH && op->name == TRACE_NO_NAME)
    return bad_op(error, index, "a built-in function needs a name", op->name);
  return 0;
}

static int bad_block(struct error *error, uint32_t index, const char *what, uint32_t found, uint32_t expected) {
  return error_set(error, ERROR_INPUT, "code table: block %u: %s (found %u, expected %u)", index, what, found,
                   expected);
}

/* Checks that the block has at most one barrier and that only a branch follows it. */
static int check_barrier(const struct trace_code *code, uint32_t index, struct error *error) {
  const struct trace_block *b = &code->blocks[index];
  uint32_t barriers = 0, behind = 0;
  for (uint32_t i = 0; i < b->op_count; i++) {
    const struct trace_op *op = &code->ops[b->first_op + i];
    if (op->op_class == OP_BARRIER)
      barriers++;
    else if (barriers && (op->op_class != OP_BRANCH || ++behind > 1))
      return bad_block(error, index, "operations behind a barrier other than one branch: operation", b->first_op + i,
                       b->first_op + b->op_count - 1);
  }
  if (barriers > 1 || barriers != b->has_barrier)
    return bad_block(error, index, "number of barriers", barriers, b->has_barrier ? 1 : 0);
  return 0;
}

/* Checks that mem_ops lists the block's memory operations in their order. */
static int check_memory_ops(const struct trace_code *code, uint32_t index, struct error *error) {
  const struct trace_block *b = &code->blocks[index];
  uint32_t found = 0;
  for (uint32_t i = b->first_op; i < b->first_op + b->op_count; i++) {
    if (!touches_memory(&code->ops[i]))
      continue;
    if (found == b->mem_count || code->mem_ops[b->first_mem + found] != i)
      return bad_block(error, index, "memory operation missing in the list: operation", i, i);
    found++;
  }
  if (found != b->mem_count)
    return bad_block(error, index, "number of memory operations", b->mem_count, found);
  return 0;
}

static int check_block(const struct trace_code *code, uint32_t index, uint32_t next_op, uint32_t next_mem,
                       struct error *error) {
  const struct trace_block *b = &code->blocks[index];
  if (b->first_op != next_op || b->op_count > code->op_count - next_op)
    return bad_block(error, index, "operations are not those behind the block before: first", b->first_op, next_op);
  if (b->first_mem != next_mem || b->mem_count > code->mem_count - next_mem)
    return bad_block(error, index, "memory operations are not those behind the block before: first", b->first_mem,
                     next_mem);
  if (b->first_successor > code->successor_count || b->successor_count > code->successor_count - b->first_successor)
    return bad_block(error, index, "successors out of range: first", b->first_successor, code->successor_count);
  for (uint32_t i = 0; i < b->successor_count; i++)
    if (code->successors[b->first_successor + i] >= code->block_count)
      return bad_block(error, index, "successor is not a block", code->successors[b->first_successor + i],
                       code->block_count - 1);
  if (b->ipdom != TRACE_NO_BLOCK && b->ipdom >= code->block_count)
    return bad_block(error, index, "post-dominator is not a block", b->ipdom, code->block_count - 1);
  if (check_memory_ops(code, index, error) != 0)
    return -1;
  return check_barrier(code, index, error);
}

/* Checks that post-dominators form a forest. Each walk from a block upwards ends at a block that an earlier walk has
 * seen. */
static int check_post_dominators(const struct trace_code *code, struct error *error) {
  uint32_t *seen = calloc(code->block_count, sizeof *seen);
  if (!seen)
    return error_set(error, ERROR_WORK, "out of memory for %u blocks", code->block_count);
  int result = 0;
  for (uint32_t start = 0; start < code->block_count && result == 0; start++) {
    uint32_t b = start;
    while (b != TRACE_NO_BLOCK && seen[b] == 0) {
      seen[b] = start + 1;
      b = code->blocks[b].ipdom;
    }
    if (b != TRACE_NO_BLOCK && seen[b] == start + 1)
      result = error_set(error, ERROR_INPUT, "code table: block %u post-dominates itself", b);
  }
  free(seen);
  return result;
}

static int check_operands(const struct trace_code *code, struct error *error) {
  uint32_t next = 0;
  for (uint32_t i = 0; code->operand_end && i < code->op_count; i++) {
    if (code->operand_end[i] < next || code->operand_end[i] - next > LIMIT_OPERANDS)
      return bad_op(error, i, "number of operands out of range", code->operand_end[i] - next);
    for (; next < code->operand_end[i]; next++)
      if (code->operands[next] >= code->op_count)
        return bad_op(error, i, "operand is not an operation of the kernel", code->operands[next]);
  }
  return 0;
}

int trace_code_check(const struct trace_code *code, struct error *error) {
  if (code->block_count == 0 || code->block_count > LIMIT_BLOCKS)
    return error_set(error, ERROR_INPUT, "code table: found %u blocks, expected 1 to %u", code->block_count,
                     LIMIT_BLOCKS);
  if (code->op_count > LIMIT_OPS || code->name_count > LIMIT_NAMES)
    return error_set(error, ERROR_INPUT, "code table: found %u operations and %u names, expected at most %u and %u",
                     code->op_count, code->name_count, LIMIT_OPS, LIMIT_NAMES);
  for (uint32_t i = 0; i < code->op_count; i++)
    if (check_op(code, i, error) != 0)
      return -1;
  uint32_t next_op = 0, next_mem = 0;
  for (uint32_t i = 0; i < code->block_count; i++) {
    if (check_block(code, i, next_op, next_mem, error) != 0)
      return -1;
    next_op += code->blocks[i].op_count;
    next_mem += code->blocks[i].mem_count;
  }
  if (check_operands(code, error) != 0)
    return -1;
  if (next_op != code->op_count || next_mem != code->mem_count)
    return error_set(error, ERROR_INPUT, "code table: %u operations and %u memory operations belong to no block",
                     code->op_count - next_op, code->mem_count - next_mem);
  return check_post_dominators(code, error);
}
