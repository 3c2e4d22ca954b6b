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

static bool is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

/* Returns whether the first argument and the result have the types that OpenCL gives them. A source may declare such a
 * function with others. */
static bool types_fit(struct lowering *l, const struct collective *c, LLVMTypeRef first, LLVMTypeRef result) {
  LLVMTypeRef number = LLVMInt32TypeInContext(l->context), mask = LLVMVectorType(number, 4);
  switch ((enum collective_kind)c->kind) {
  case COLLECTIVE_BARRIER:
    return LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  case COLLECTIVE_ELECT:
    return result == number;
  case COLLECTIVE_ALL:
  case COLLECTIVE_ANY:
    return first == number && result == number;
  case COLLECTIVE_ALL_EQUAL:
    return first && !is_vector(first) && result == number;
  case COLLECTIVE_REDUCE:
  case COLLECTIVE_SCAN_INCLUSIVE:
  case COLLECTIVE_SCAN_EXCLUSIVE:
    return first == result && !is_vector(result) &&
           (c->operation <= OPERATION_MAX || !scalar_type_is_float((enum scalar_type)c->type));
  case COLLECTIVE_BALLOT:
    return first == number && result == mask;
  default:
    return c->kind >= COLLECTIVE_EQ_MASK          ? !first && result == mask
           : c->kind >= COLLECTIVE_INVERSE_BALLOT ? first == mask && result == number
                                                  : first == result;
  }
}

bool collective_call_fits(struct lowering *l, LLVMValueRef call) {
  const unsigned count = LLVMGetNumArgOperands(call);
  const struct collective_operands *room = NULL;
  LLVMTypeRef result = LLVMTypeOf(call), first = count > 0 ? LLVMTypeOf(LLVMGetOperand(call, 0)) : NULL;
  struct collective c;
  if (!builtin_is_collective(ir_callee(call), &c) || !types_fit(l, &c, first, result))
    return false;
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind && LLVMStoreSizeOfType(l->layout, result) > sizeof room->result)
    return false;
  if (first && LLVMStoreSizeOfType(l->layout, first) > sizeof room->value)
    return false;
  for (unsigned i = 1; i < count; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMIntegerTypeKind)
      return false;
  return count <= 1 + COLLECTIVE_NUMBERS;
}
