#include "tracegen/sanitize/shadow_values.h"

#include <llvm-c/DebugInfo.h>

static uint32_t elements_of(LLVMValueRef value) {
  uint32_t elements;
  lower_element(LLVMTypeOf(value), &elements);
  return elements;
}

/* The same number of elements, and of bits in each. */
static LLVMTypeRef shadow_type(const struct companions *c, LLVMTypeRef type) {
  uint32_t elements;
  LLVMTypeRef element = lower_element(type, &elements);
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, element);
  LLVMTypeRef shadow = LLVMIntTypeInContext(c->l->context, bits);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMVectorType(shadow, elements) : shadow;
}

/* NULL: the value is not followed, or stands in code that is never reached. */
static const struct followed *find(const struct companions *c, LLVMValueRef value) {
  uint32_t at;
  return value_map_get(&c->index, value, &at) && c->list[at].shadow ? &c->list[at] : NULL;
}

LLVMValueRef companion_shadow(const struct companions *c, LLVMValueRef value) {
  const struct followed *followed = find(c, value);
  return followed ? followed->shadow : LLVMConstNull(shadow_type(c, LLVMTypeOf(value)));
}

LLVMValueRef companion_origin(const struct companions *c, LLVMValueRef value) {
  const struct followed *followed = find(c, value);
  return followed ? followed->origin : LLVMConstNull(c->number);
}

/* All bits of a vector as one integer. */
static LLVMValueRef as_one(const struct companions *c, LLVMValueRef shadow) {
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, LLVMTypeOf(shadow));
  return LLVMBuildBitCast(c->b, shadow, LLVMIntTypeInContext(c->l->context, bits), "");
}

static LLVMValueRef is_set(const struct companions *c, LLVMValueRef shadow) {
  return LLVMBuildICmp(c->b, LLVMIntNE, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
}

LLVMValueRef companion_any(const struct companions *c, LLVMValueRef shadow) {
  return is_set(c, as_one(c, shadow));
}

LLVMValueRef companion_all(const struct companions *c, LLVMValueRef shadow) {
  LLVMValueRef bits = as_one(c, shadow);
  return LLVMBuildICmp(c->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}

LLVMValueRef companion_each(const struct companions *c, LLVMValueRef shadow) {
  return companion_all(c, is_set(c, shadow));
}

/* One bit for each of `elements`: of the same element, or, where the numbers differ, of all together. */
static LLVMValueRef spread(const struct companions *c, LLVMValueRef shadow, uint32_t elements) {
  if (elements_of(shadow) == elements)
    return is_set(c, shadow);
  LLVMValueRef any = companion_any(c, shadow);
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(any), elements);
  LLVMValueRef vector = LLVMConstNull(type);
  for (uint32_t i = 0; elements > 1 && i < elements; i++)
    vector = LLVMBuildInsertElement(c->b, vector, any, LLVMConstInt(c->number, i, false), "");
  return elements > 1 ? vector : any;
}

/* Elements of which any bit of any operand is undefined are undefined as a whole. */
static LLVMValueRef made_of_all(const struct companions *c, LLVMValueRef value, unsigned count) {
  const uint32_t elements = elements_of(value);
  LLVMValueRef bits = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (!find(c, LLVMGetOperand(value, i)))
      continue;
    LLVMValueRef more = spread(c, companion_shadow(c, LLVMGetOperand(value, i)), elements);
    bits = bits ? LLVMBuildOr(c->b, bits, more, "") : more;
  }
  return LLVMBuildSExt(c->b, bits, shadow_type(c, LLVMTypeOf(value)), "");
}

static LLVMValueRef of_bits(const struct companions *c, LLVMValueRef value) {
  return LLVMBuildOr(c->b, companion_shadow(c, LLVMGetOperand(value, 0)), companion_shadow(c, LLVMGetOperand(value, 1)),
                     "");
}

/* A defined 0 (for or: 1) makes the result's bit defined. */
static LLVMValueRef masked(const struct companions *c, LLVMValueRef value, bool is_or) {
  LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
  LLVMValueRef sa = companion_shadow(c, a), sb = companion_shadow(c, b);
  LLVMValueRef passes_a = LLVMBuildOr(c->b, is_or ? LLVMBuildNot(c->b, b, "") : b, sb, "");
  LLVMValueRef passes_b = LLVMBuildOr(c->b, is_or ? LLVMBuildNot(c->b, a, "") : a, sa, "");
  return LLVMBuildOr(c->b, LLVMBuildAnd(c->b, sa, passes_a, ""), LLVMBuildAnd(c->b, sb, passes_b, ""), "");
}

static LLVMValueRef shifted(const struct companions *c, LLVMValueRef value) {
  LLVMValueRef amount = LLVMGetOperand(value, 1);
  if (find(c, amount))
    return made_of_all(c, value, 2);
  return LLVMBuildBinOp(c->b, LLVMGetInstructionOpcode(value), companion_shadow(c, LLVMGetOperand(value, 0)), amount,
                        "");
}

/* Elements that the shuffle leaves open get the bits of one that it does not: nothing else is computed with them. */
static LLVMValueRef shuffled(const struct companions *c, LLVMValueRef shuffle) {
  LLVMValueRef mask[COMPANION_MOST_ELEMENTS];
  const unsigned count = LLVMGetNumMaskElements(shuffle);
  int some = 0;
  for (unsigned i = 0; i < count; i++)
    if (LLVMGetMaskValue(shuffle, i) != LLVMGetUndefMaskElem())
      some = LLVMGetMaskValue(shuffle, i);
  for (unsigned i = 0; i < count; i++) {
    const int from = LLVMGetMaskValue(shuffle, i);
    mask[i] = LLVMConstInt(c->number, (unsigned)(from == LLVMGetUndefMaskElem() ? some : from), false);
  }
  return LLVMBuildShuffleVector(c->b, companion_shadow(c, LLVMGetOperand(shuffle, 0)),
                                companion_shadow(c, LLVMGetOperand(shuffle, 1)), LLVMConstVector(mask, count), "");
}

/* shuffle and shuffle2 of OpenCL: by a mask that is known while the kernel runs. */
static LLVMValueRef picked(const struct companions *c, LLVMValueRef call) {
  LLVMValueRef order[2 * COMPANION_MOST_ELEMENTS];
  const unsigned sources = LLVMGetNumArgOperands(call) - 1, all = sources * elements_of(LLVMGetOperand(call, 0));
  LLVMValueRef mask = LLVMGetOperand(call, sources), shadow = LLVMConstNull(shadow_type(c, LLVMTypeOf(call)));
  LLVMValueRef from = companion_shadow(c, LLVMGetOperand(call, 0));
  for (unsigned i = 0; i < all; i++)
    order[i] = LLVMConstInt(c->number, i, false);
  if (sources == 2)
    from = LLVMBuildShuffleVector(c->b, from, companion_shadow(c, LLVMGetOperand(call, 1)), LLVMConstVector(order, all),
                                  "");
  for (uint32_t i = 0; i < elements_of(call); i++) {
    LLVMValueRef place = LLVMConstInt(c->number, i, false), which = LLVMBuildExtractElement(c->b, mask, place, "");
    which = LLVMBuildAnd(c->b, which, LLVMConstInt(LLVMTypeOf(which), all - 1, false), "");
    shadow = LLVMBuildInsertElement(c->b, shadow, LLVMBuildExtractElement(c->b, from, which, ""), place, "");
  }
  if (!find(c, mask))
    return shadow;
  LLVMValueRef unknown = spread(c, companion_shadow(c, mask), elements_of(call));
  return LLVMBuildOr(c->b, shadow, LLVMBuildSExt(c->b, unknown, LLVMTypeOf(shadow), ""), "");
}

static LLVMValueRef selected(const struct companions *c, LLVMValueRef select) {
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  LLVMValueRef taken = LLVMBuildSelect(c->b, condition, companion_shadow(c, LLVMGetOperand(select, 1)),
                                       companion_shadow(c, LLVMGetOperand(select, 2)), "");
  return find(c, condition) ? LLVMBuildOr(c->b, taken, made_of_all(c, select, 1), "") : taken;
}

static unsigned operand_count(LLVMValueRef value) {
  return (unsigned)(LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value));
}

static LLVMValueRef make_shadow(const struct companions *c, const struct followed *followed) {
  LLVMValueRef value = followed->value, first = companion_shadow(c, LLVMGetOperand(value, 0));
  LLVMTypeRef type = shadow_type(c, LLVMTypeOf(value));
  if (followed->variable)
    return LLVMConstAllOnes(type);
  switch ((int)LLVMGetInstructionOpcode(value)) {
  case LLVMSelect:
    return selected(c, value);
  case LLVMShuffleVector:
    return shuffled(c, value);
  case LLVMCall:
    return builtin_is_shuffle(value) ? picked(c, value) : made_of_all(c, value, operand_count(value));
  case LLVMInsertElement:
    return LLVMBuildInsertElement(c->b, first, companion_shadow(c, LLVMGetOperand(value, 1)), LLVMGetOperand(value, 2),
                                  "");
  case LLVMExtractElement:
    return LLVMBuildExtractElement(c->b, first, LLVMGetOperand(value, 1), "");
  case LLVMBitCast:
  case LLVMFreeze:
    return LLVMBuildBitCast(c->b, first, type, "");
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    return LLVMBuildIntCast2(c->b, first, type, false, "");
  case LLVMSExt:
    return LLVMBuildSExt(c->b, first, type, "");
  case LLVMAnd:
  case LLVMOr:
    return masked(c, value, LLVMGetInstructionOpcode(value) == LLVMOr);
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    return shifted(c, value);
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
    return of_bits(c, value);
  default:
    return made_of_all(c, value, operand_count(value));
  }
}

/* That of the last operand with an undefined bit; of a selection, that of the operand that is taken, before that of the
 * condition. */
static LLVMValueRef make_origin(const struct companions *c, const struct followed *followed) {
  LLVMValueRef value = followed->value, origin = LLVMConstInt(c->number, followed->variable, false);
  const bool select = LLVMIsASelectInst(value) && elements_of(LLVMGetOperand(value, 0)) == 1;
  if (followed->variable)
    return origin;
  for (unsigned i = 0; i < (select ? 1 : operand_count(value)); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    if (find(c, operand))
      origin = LLVMBuildSelect(c->b, companion_any(c, companion_shadow(c, operand)), companion_origin(c, operand),
                               origin, "");
  }
  if (!select)
    return origin;
  LLVMValueRef taken = LLVMBuildSelect(c->b, LLVMGetOperand(value, 0), companion_origin(c, LLVMGetOperand(value, 1)),
                                       companion_origin(c, LLVMGetOperand(value, 2)), "");
  return LLVMBuildSelect(c->b, is_set(c, taken), taken, origin, "");
}

static bool is_ready(const struct companions *c, LLVMValueRef value) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    uint32_t at;
    if (value_map_get(&c->index, LLVMGetOperand(value, i), &at) && !c->list[at].shadow)
      return false;
  }
  return true;
}

static void make_phis(struct companions *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (LLVMIsAPHINode(c->list[i].value)) {
      LLVMPositionBuilderBefore(c->b, c->list[i].value);
      c->list[i].shadow = LLVMBuildPhi(c->b, shadow_type(c, LLVMTypeOf(c->list[i].value)), "");
      c->list[i].origin = LLVMBuildPhi(c->b, c->number, "");
    }
}

static void fill_phis(struct companions *c) {
  for (uint32_t i = 0; i < c->count; i++)
    for (unsigned k = 0; LLVMIsAPHINode(c->list[i].value) && k < LLVMCountIncoming(c->list[i].value); k++) {
      LLVMValueRef value = LLVMGetIncomingValue(c->list[i].value, k);
      LLVMValueRef shadow = companion_shadow(c, value), origin = companion_origin(c, value);
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(c->list[i].value, k);
      LLVMAddIncoming(c->list[i].shadow, &shadow, &block, 1);
      LLVMAddIncoming(c->list[i].origin, &origin, &block, 1);
    }
}

/* Operands come before what is made of them, except around loops, where there are phis. */
void companions_make(struct companions *c) {
  make_phis(c);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < c->count; i++) {
      LLVMValueRef value = c->list[i].value;
      if (c->list[i].shadow || !is_ready(c, value))
        continue;
      LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(value));
      LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(value));
      c->list[i].shadow = make_shadow(c, &c->list[i]);
      c->list[i].origin = make_origin(c, &c->list[i]);
      more = true;
    }
  }
  fill_phis(c);
}
