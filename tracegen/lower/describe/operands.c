#include "tracegen/lower/describe/operands.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"

#define MOST_OPERANDS 1024 /* of one operation: LIMIT_OPERANDS of trace/format/limits.h */
#define MOST_STEPS    8    /* through instructions that are no operations: assumed */

struct search {
  struct lowering *l;
  const struct value_map *op_of;
};

static int add_operand(const struct search *s, uint32_t own, uint32_t operand, uint32_t *count) {
  struct trace_code *code = &s->l->program->code;
  const uint32_t first = own ? code->operand_end[own - 1] : 0;
  for (uint32_t i = first; i < *count; i++)
    if (code->operands[i] == operand)
      return 0;
  if (*count - first == MOST_OPERANDS)
    return 0;
  if (!array_room_for_one(&code->operands, *count, sizeof *code->operands))
    return lower_no_memory(s->l);
  code->operands[(*count)++] = operand;
  return 0;
}

/* Adds the operations whose values an instruction uses. One that is no operation passes its own operands on. */
static int add_operands_of(const struct search *s, LLVMValueRef instruction, uint32_t own, uint32_t *count,
                           unsigned depth) {
  const int operands = LLVMGetNumOperands(instruction);
  for (int i = 0; i < operands; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    uint32_t op;
    if (!LLVMIsAInstruction(operand))
      continue;
    if (value_map_get(s->op_of, operand, &op)
            ? add_operand(s, own, op, count)
            : depth < MOST_STEPS && add_operands_of(s, operand, own, count, depth + 1))
      return -1;
  }
  return 0;
}

int operands_find(struct lowering *l, const struct value_map *op_of, const LLVMValueRef *instructions) {
  struct trace_code *code = &l->program->code;
  const struct search s = {l, op_of};
  uint32_t count = 0;
  code->operand_end = calloc(code->op_count + 1u, sizeof *code->operand_end);
  if (!code->operand_end)
    return lower_no_memory(l);
  for (uint32_t i = 0; i < code->op_count; i++) {
    const bool same = i > 0 && instructions[i] == instructions[i - 1]; /* one of several operations of a call */
    if ((same && add_operand(&s, i, i - 1, &count)) || add_operands_of(&s, instructions[i], i, &count, 0))
      return -1;
    code->operand_end[i] = count;
  }
  return 0;
}
