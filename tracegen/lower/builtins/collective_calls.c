#include "tracegen/lower/builtins/collective_calls.h"

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

void collective_calls_mark(struct lowering *l, LLVMValueRef function) {
  struct collective c;
  const bool asks = builtin_query(function) >= (int)QUERIES_OF_SUB_GROUPS;
  if (!LLVMIsDeclaration(function) || !LLVMGetFirstUse(function))
    return;
  if (builtin_is_collective(function, &c)) {
    l->program->uses_collectives = true;
    l->program->uses_sub_groups |= !c.whole_group;
    l->program->has_barrier = true;         /* the work-items have to exist at the same time */
    if (c.kind < COLLECTIVE_INVERSE_BALLOT) /* the others need no work-item but their own */
      ir_add_attribute(l, function, "convergent", 0);
    if (c.kind != COLLECTIVE_BARRIER && c.kind < COLLECTIVE_INVERSE_BALLOT) /* a barrier orders accesses */
      ir_touch_hidden_memory(l, function);
  } else if (asks) {
    l->program->uses_sub_groups = true;
    l->program->has_barrier = true; /* the ids of sub-groups are those of a slot (item_ids.c) */
  }
}

bool collective_call_fits(struct lowering *l, LLVMValueRef call) {
  const unsigned count = LLVMGetNumArgOperands(call);
  const struct collective_operands *room = NULL;
  LLVMTypeRef result = LLVMTypeOf(call);
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind && LLVMStoreSizeOfType(l->layout, result) > sizeof room->result)
    return false;
  if (count > 0 && LLVMStoreSizeOfType(l->layout, LLVMTypeOf(LLVMGetOperand(call, 0))) > sizeof room->value)
    return false;
  for (unsigned i = 1; i < count; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMIntegerTypeKind)
      return false;
  return count <= 1 + COLLECTIVE_NUMBERS;
}
