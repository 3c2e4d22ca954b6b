#include "tracegen/companions.h"

#include <llvm-c/DebugInfo.h>

static uint32_t elements_of(LLVMValueRef value) {
  uint32_t elements;
  lower_element(LLVMTypeOf(value), &elements);
  return elements;
}

static LLVMValueRef constant(const struct companions *c, uint32_t elements, uint32_t number) {
  LLVMValueRef values[COMPANION_MOST_ELEMENTS];
  if (elements == 1)
    return LLVMConstInt(c->number, number, false);
  for (uint32_t i = 0; i < elements; i++)
    values[i] = LLVMConstInt(c->number, number, false);
  return LLVMConstVector(values, elements);
}

static LLVMValueRef lane(const struct companions *c, LLVMValueRef vector, uint32_t i) {
  return LLVMBuildExtractElement(c->b, vector, LLVMConstInt(c->number, i, false), "");
}

LLVMValueRef companion_is_set(const struct companions *c, LLVMValueRef companion) {
  return LLVMBuildICmp(c->b, LLVMIntNE, companion, LLVMConstNull(LLVMTypeOf(companion)), "");
}

/* One number for a vector's: of its last element, if all are set. */
LLVMValueRef companion_if_all(const struct companions *c, LLVMValueRef companion) {
  const uint32_t elements = elements_of(companion);
  LLVMValueRef all = elements == 1 ? companion : lane(c, companion, 0);
  for (uint32_t i = 1; i < elements; i++)
    all = LLVMBuildSelect(c->b, companion_is_set(c, all), lane(c, companion, i), all, "");
  return all;
}

static LLVMValueRef if_any(const struct companions *c, LLVMValueRef companion) {
  const uint32_t elements = elements_of(companion);
  LLVMValueRef any = elements == 1 ? companion : lane(c, companion, 0);
  for (uint32_t i = 1; i < elements; i++)
    any = LLVMBuildSelect(c->b, companion_is_set(c, any), any, lane(c, companion, i), "");
  return any;
}

static LLVMValueRef splat(const struct companions *c, LLVMValueRef number, uint32_t elements) {
  LLVMValueRef vector = constant(c, elements, 0);
  for (uint32_t i = 0; elements > 1 && i < elements; i++)
    vector = LLVMBuildInsertElement(c->b, vector, number, LLVMConstInt(c->number, i, false), "");
  return elements > 1 ? vector : number;
}

/* NULL: `value` is followed, and its companion is not there yet. */
LLVMValueRef companion_of(const struct companions *c, LLVMValueRef value) {
  uint32_t at;
  return value_map_get(&c->index, value, &at) ? c->list[at].companion : constant(c, elements_of(value), 0);
}

LLVMValueRef companion_first(const struct companions *c, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsNull(a))
    return b;
  return LLVMIsNull(b) ? a : LLVMBuildSelect(c->b, companion_is_set(c, a), a, b, "");
}

/* For results of `elements`: element by element where the numbers agree, otherwise every element is made of all. */
static LLVMValueRef fitted(const struct companions *c, LLVMValueRef companion, uint32_t elements, bool reshaped) {
  if (elements_of(companion) == elements)
    return companion;
  return splat(c, reshaped ? companion_if_all(c, companion) : if_any(c, companion), elements);
}

static LLVMValueRef shuffled(const struct companions *c, LLVMValueRef shuffle) {
  LLVMValueRef mask[COMPANION_MOST_ELEMENTS];
  const unsigned count = LLVMGetNumMaskElements(shuffle);
  for (unsigned i = 0; i < count; i++) {
    const int from = LLVMGetMaskValue(shuffle, i);
    mask[i] = from == LLVMGetUndefMaskElem() ? LLVMGetUndef(c->number) : LLVMConstInt(c->number, (unsigned)from, false);
  }
  return LLVMBuildShuffleVector(c->b, companion_of(c, LLVMGetOperand(shuffle, 0)),
                                companion_of(c, LLVMGetOperand(shuffle, 1)), LLVMConstVector(mask, count), "");
}

static LLVMValueRef selected(const struct companions *c, LLVMValueRef select) {
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  LLVMValueRef taken = LLVMBuildSelect(c->b, condition, companion_of(c, LLVMGetOperand(select, 1)),
                                       companion_of(c, LLVMGetOperand(select, 2)), "");
  return companion_first(c, fitted(c, companion_of(c, condition), elements_of(select), false), taken);
}

static LLVMValueRef made_of_all(const struct companions *c, LLVMValueRef value) {
  const uint32_t elements = elements_of(value);
  const bool reshaped = LLVMIsABitCastInst(value) != NULL;
  const unsigned count =
      (unsigned)(LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value));
  LLVMValueRef companion = constant(c, elements, 0);
  for (unsigned i = 0; i < count; i++)
    companion = companion_first(c, companion, fitted(c, companion_of(c, LLVMGetOperand(value, i)), elements, reshaped));
  return companion;
}

static LLVMValueRef make_companion(const struct companions *c, const struct followed *followed) {
  LLVMValueRef value = followed->value, first = LLVMGetOperand(value, 0);
  if (followed->variable)
    return constant(c, elements_of(value), followed->variable);
  if (LLVMIsASelectInst(value))
    return selected(c, value);
  if (LLVMIsAShuffleVectorInst(value))
    return shuffled(c, value);
  if (LLVMIsAInsertElementInst(value))
    return LLVMBuildInsertElement(c->b, companion_of(c, first), companion_of(c, LLVMGetOperand(value, 1)),
                                  LLVMGetOperand(value, 2), "");
  if (LLVMIsAExtractElementInst(value))
    return LLVMBuildExtractElement(c->b, companion_of(c, first), LLVMGetOperand(value, 1), "");
  return made_of_all(c, value);
}

static bool is_ready(const struct companions *c, LLVMValueRef value) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    uint32_t at;
    if (value_map_get(&c->index, LLVMGetOperand(value, i), &at) && !c->list[at].companion)
      return false;
  }
  return true;
}

static void make_phis(struct companions *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (LLVMIsAPHINode(c->list[i].value)) {
      LLVMPositionBuilderBefore(c->b, c->list[i].value);
      c->list[i].companion = LLVMBuildPhi(c->b, LLVMTypeOf(constant(c, elements_of(c->list[i].value), 0)), "");
    }
}

static void fill_phis(struct companions *c) {
  for (uint32_t i = 0; i < c->count; i++)
    for (unsigned k = 0; LLVMIsAPHINode(c->list[i].value) && k < LLVMCountIncoming(c->list[i].value); k++) {
      LLVMValueRef value = companion_of(c, LLVMGetIncomingValue(c->list[i].value, k));
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(c->list[i].value, k);
      LLVMAddIncoming(c->list[i].companion, &value, &block, 1);
    }
}

/* Operands come before what is made of them, except around loops, where there are phis. */
void companions_make(struct companions *c) {
  make_phis(c);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < c->count; i++) {
      LLVMValueRef value = c->list[i].value;
      if (c->list[i].companion || !is_ready(c, value))
        continue;
      LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(value));
      LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(value));
      c->list[i].companion = make_companion(c, &c->list[i]);
      more = true;
    }
  }
  fill_phis(c);
}
