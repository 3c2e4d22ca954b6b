#include "tracegen/lower/describe/first_uses.h"

#include <stdlib.h>

struct use_search {
  const struct trace_code *code;
  const struct value_map *op_of;
  uint32_t own, end;     /* operation of the value; end of its block */
  uint32_t after, least; /* results: first use after it in its block; least operation of all */
  uint32_t *seen;        /* by operation: the last search that visited it */
};

/* Collects the uses of a value. A use of a moved copy is a use of the value. */
static void collect_uses(struct use_search *s, LLVMValueRef value, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint32_t op;
    if (!value_map_get(s->op_of, user, &op) || s->seen[op] == s->own + 1)
      continue;
    s->seen[op] = s->own + 1;
    if (s->code->ops[op].op_class == OP_MOVE && depth < 32) {
      collect_uses(s, user, depth + 1);
      continue;
    }
    if (op > s->own && op < s->end && op < s->after)
      s->after = op;
    if (op < s->least)
      s->least = op;
  }
}

int first_uses_find(struct lowering *l, const struct value_map *op_of, const LLVMValueRef *instructions) {
  struct trace_code *code = &l->program->code;
  uint32_t *seen = calloc(code->op_count + 1, sizeof *seen);
  if (!seen)
    return lower_no_memory(l);
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t k = 0; k < code->blocks[b].mem_count; k++) {
      const uint32_t own = code->mem_ops[code->blocks[b].first_mem + k];
      if (code->ops[own].op_class == OP_STORE)
        continue;
      struct use_search s = {code,        op_of,       own, code->blocks[b].first_op + code->blocks[b].op_count,
                             TRACE_NO_OP, TRACE_NO_OP, seen};
      collect_uses(&s, instructions[own], 0);
      code->ops[own].first_use = s.after != TRACE_NO_OP ? s.after : s.least;
    }
  free(seen);
  return 0;
}
