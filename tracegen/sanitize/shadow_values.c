/* Builds shadow and origin of each value, operation by operation. */
#include "tracegen/sanitize/shadow_values.h"

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

/* Returns the type of a shadow: an integer of as many bits for each element. */
static LLVMTypeRef shadow_type(const struct shadow_builder *c, LLVMTypeRef type) {
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, element);
  LLVMTypeRef shadow = LLVMIntTypeInContext(c->l->context, bits);
  return ir_is_vector(type) ? LLVMVectorType(shadow, elements) : shadow;
}

/* Returns the entry of a value; NULL: the value has no shadow, or its code is never reached. */
static const struct shadowed_value *find(const struct shadow_builder *c, LLVMValueRef value) {
  uint32_t at;
  return value_map_get(&c->index, value, &at) && c->list[at].shadow ? &c->list[at] : NULL;
}

LLVMValueRef shadow_of_value(const struct shadow_builder *c, LLVMValueRef value) {
  const struct shadowed_value *shadowed_value = find(c, value);
  return shadowed_value ? shadowed_value->shadow : LLVMConstNull(shadow_type(c, LLVMTypeOf(value)));
}

LLVMValueRef origin_of_value(const struct shadow_builder *c, LLVMValueRef value) {
  const struct shadowed_value *shadowed_value = find(c, value);
  return shadowed_value ? shadowed_value->origin : LLVMConstNull(c->number);
}

/* Builds one integer of all bits of a vector. */
static LLVMValueRef as_one(const struct shadow_builder *c, LLVMValueRef shadow) {
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, LLVMTypeOf(shadow));
  return LLVMBuildBitCast(c->b, shadow, LLVMIntTypeInContext(c->l->context, bits), "");
}

static LLVMValueRef is_set(const struct shadow_builder *c, LLVMValueRef shadow) {
  return LLVMBuildICmp(c->b, LLVMIntNE, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
}

LLVMValueRef shadow_any(const struct shadow_builder *c, LLVMValueRef shadow) {
  return is_set(c, as_one(c, shadow));
}

LLVMValueRef shadow_all(const struct shadow_builder *c, LLVMValueRef shadow) {
  LLVMValueRef bits = as_one(c, shadow);
  return LLVMBuildICmp(c->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}

LLVMValueRef shadow_each(const struct shadow_builder *c, LLVMValueRef shadow) {
  return shadow_all(c, is_set(c, shadow));
}

/* Builds one bit for each of `elements`: that of the same element or, where the numbers of elements differ, of all
 * together. */
static LLVMValueRef spread(const struct shadow_builder *c, LLVMValueRef shadow, uint32_t elements) {
  if (ir_elements(shadow) == elements)
    return is_set(c, shadow);
  LLVMValueRef any = shadow_any(c, shadow);
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(any), elements);
  LLVMValueRef vector = LLVMConstNull(type);
  for (uint32_t i = 0; elements > 1 && i < elements; i++)
    vector = LLVMBuildInsertElement(c->b, vector, any, LLVMConstInt(c->number, i, false), "");
  return elements > 1 ? vector : any;
}

/* Builds the shadow of a result whose element is undefined as a whole when any bit of any operand is. */
static LLVMValueRef made_of_all(const struct shadow_builder *c, LLVMValueRef value, unsigned count) {
  const uint32_t elements = ir_elements(value);
  LLVMValueRef bits = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (!find(c, LLVMGetOperand(value, i)))
      continue;
    LLVMValueRef more = spread(c, shadow_of_value(c, LLVMGetOperand(value, i)), elements);
    bits = bits ? LLVMBuildOr(c->b, bits, more, "") : more;
  }
  return LLVMBuildSExt(c->b, bits, shadow_type(c, LLVMTypeOf(value)), "");
}

static LLVMValueRef of_bits(const struct shadow_builder *c, LLVMValueRef value) {
  return LLVMBuildOr(c->b, shadow_of_value(c, LLVMGetOperand(value, 0)), shadow_of_value(c, LLVMGetOperand(value, 1)),
                     "");
}

/* A defined 0 makes a bit of the result defined; for `or`, a defined 1. */
static LLVMValueRef masked(const struct shadow_builder *c, LLVMValueRef value, bool is_or) {
  LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
  LLVMValueRef sa = shadow_of_value(c, a), sb = shadow_of_value(c, b);
  LLVMValueRef passes_a = LLVMBuildOr(c->b, is_or ? LLVMBuildNot(c->b, b, "") : b, sb, "");
  LLVMValueRef passes_b = LLVMBuildOr(c->b, is_or ? LLVMBuildNot(c->b, a, "") : a, sa, "");
  return LLVMBuildOr(c->b, LLVMBuildAnd(c->b, sa, passes_a, ""), LLVMBuildAnd(c->b, sb, passes_b, ""), "");
}

static LLVMValueRef shifted(const struct shadow_builder *c, LLVMValueRef value) {
  LLVMValueRef amount = LLVMGetOperand(value, 1);
  if (find(c, amount))
    return made_of_all(c, value, 2);
  return LLVMBuildBinOp(c->b, LLVMGetInstructionOpcode(value), shadow_of_value(c, LLVMGetOperand(value, 0)), amount,
                        "");
}

/* An element that the shuffle leaves open gets the shadow of another one: nothing is computed with it. */
static LLVMValueRef shuffled(const struct shadow_builder *c, LLVMValueRef shuffle) {
  LLVMValueRef mask[SHADOW_MOST_ELEMENTS];
  const unsigned count = LLVMGetNumMaskElements(shuffle);
  int some = 0;
  for (unsigned i = 0; i < count; i++)
    if (LLVMGetMaskValue(shuffle, i) != LLVMGetUndefMaskElem())
      some = LLVMGetMaskValue(shuffle, i);
  for (unsigned i = 0; i < count; i++) {
    const int from = LLVMGetMaskValue(shuffle, i);
    mask[i] = LLVMConstInt(c->number, (unsigned)(from == LLVMGetUndefMaskElem() ? some : from), false);
  }
  return LLVMBuildShuffleVector(c->b, shadow_of_value(c, LLVMGetOperand(shuffle, 0)),
                                shadow_of_value(c, LLVMGetOperand(shuffle, 1)), LLVMConstVector(mask, count), "");
}

/* shuffle and shuffle2 of OpenCL select elements by a mask that is known while the kernel runs. */
static LLVMValueRef picked(const struct shadow_builder *c, LLVMValueRef call) {
  LLVMValueRef order[2 * SHADOW_MOST_ELEMENTS];
  const unsigned sources = LLVMGetNumArgOperands(call) - 1, all = sources * ir_elements(LLVMGetOperand(call, 0));
  LLVMValueRef mask = LLVMGetOperand(call, sources), shadow = LLVMConstNull(shadow_type(c, LLVMTypeOf(call)));
  LLVMValueRef from = shadow_of_value(c, LLVMGetOperand(call, 0));
  for (unsigned i = 0; i < all; i++)
    order[i] = LLVMConstInt(c->number, i, false);
  if (sources == 2)
    from = LLVMBuildShuffleVector(c->b, from, shadow_of_value(c, LLVMGetOperand(call, 1)), LLVMConstVector(order, all),
                                  "");
  for (uint32_t i = 0; i < ir_elements(call); i++) {
    LLVMValueRef place = LLVMConstInt(c->number, i, false), which = LLVMBuildExtractElement(c->b, mask, place, "");
    which = LLVMBuildAnd(c->b, which, LLVMConstInt(LLVMTypeOf(which), all - 1, false), "");
    shadow = LLVMBuildInsertElement(c->b, shadow, LLVMBuildExtractElement(c->b, from, which, ""), place, "");
  }
  if (!find(c, mask))
    return shadow;
  LLVMValueRef unknown = spread(c, shadow_of_value(c, mask), ir_elements(call));
  return LLVMBuildOr(c->b, shadow, LLVMBuildSExt(c->b, unknown, LLVMTypeOf(shadow), ""), "");
}

static LLVMValueRef selected(const struct shadow_builder *c, LLVMValueRef select) {
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  LLVMValueRef taken = LLVMBuildSelect(c->b, condition, shadow_of_value(c, LLVMGetOperand(select, 1)),
                                       shadow_of_value(c, LLVMGetOperand(select, 2)), "");
  return find(c, condition) ? LLVMBuildOr(c->b, taken, made_of_all(c, select, 1), "") : taken;
}

static LLVMValueRef make_shadow(const struct shadow_builder *c, const struct shadowed_value *shadowed_value) {
  LLVMValueRef value = shadowed_value->value, first = shadow_of_value(c, LLVMGetOperand(value, 0));
  LLVMTypeRef type = shadow_type(c, LLVMTypeOf(value));
  if (shadowed_value->variable)
    return LLVMConstAllOnes(type);
  switch ((int)LLVMGetInstructionOpcode(value)) {
  case LLVMSelect:
    return selected(c, value);
  case LLVMShuffleVector:
    return shuffled(c, value);
  case LLVMCall:
    return builtin_is_shuffle(value) ? picked(c, value) : made_of_all(c, value, ir_operand_count(value));
  case LLVMInsertElement:
    return LLVMBuildInsertElement(c->b, first, shadow_of_value(c, LLVMGetOperand(value, 1)), LLVMGetOperand(value, 2),
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
    return made_of_all(c, value, ir_operand_count(value));
  }
}

/* Builds the origin of the last operand with an undefined bit; of a selection, that of the selected operand comes
 * before that of the condition. */
static LLVMValueRef make_origin(const struct shadow_builder *c, const struct shadowed_value *shadowed_value) {
  LLVMValueRef value = shadowed_value->value, origin = LLVMConstInt(c->number, shadowed_value->variable, false);
  const bool select = LLVMIsASelectInst(value) && ir_elements(LLVMGetOperand(value, 0)) == 1;
  if (shadowed_value->variable)
    return origin;
  for (unsigned i = 0; i < (select ? 1 : ir_operand_count(value)); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    if (find(c, operand))
      origin =
          LLVMBuildSelect(c->b, shadow_any(c, shadow_of_value(c, operand)), origin_of_value(c, operand), origin, "");
  }
  if (!select)
    return origin;
  LLVMValueRef taken = LLVMBuildSelect(c->b, LLVMGetOperand(value, 0), origin_of_value(c, LLVMGetOperand(value, 1)),
                                       origin_of_value(c, LLVMGetOperand(value, 2)), "");
  return LLVMBuildSelect(c->b, is_set(c, taken), taken, origin, "");
}

static bool is_ready(const struct shadow_builder *c, LLVMValueRef value) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    uint32_t at;
    if (value_map_get(&c->index, LLVMGetOperand(value, i), &at) && !c->list[at].shadow)
      return false;
  }
  return true;
}

static void make_phis(struct shadow_builder *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (LLVMIsAPHINode(c->list[i].value)) {
      LLVMPositionBuilderBefore(c->b, c->list[i].value);
      c->list[i].shadow = LLVMBuildPhi(c->b, shadow_type(c, LLVMTypeOf(c->list[i].value)), "");
      c->list[i].origin = LLVMBuildPhi(c->b, c->number, "");
    }
}

static void fill_phis(struct shadow_builder *c) {
  for (uint32_t i = 0; i < c->count; i++)
    for (unsigned k = 0; LLVMIsAPHINode(c->list[i].value) && k < LLVMCountIncoming(c->list[i].value); k++) {
      LLVMValueRef value = LLVMGetIncomingValue(c->list[i].value, k);
      LLVMValueRef shadow = shadow_of_value(c, value), origin = origin_of_value(c, value);
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(c->list[i].value, k);
      LLVMAddIncoming(c->list[i].shadow, &shadow, &block, 1);
      LLVMAddIncoming(c->list[i].origin, &origin, &block, 1);
    }
}

/* Operands come before results, except around loops, where there are phis. */
void shadow_values_make(struct shadow_builder *c) {
  make_phis(c);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < c->count; i++) {
      LLVMValueRef value = c->list[i].value;
      if (c->list[i].shadow || !is_ready(c, value))
        continue;
      ir_build_behind(c->b, value);
      c->list[i].shadow = make_shadow(c, &c->list[i]);
      c->list[i].origin = make_origin(c, &c->list[i]);
      more = true;
    }
  }
  fill_phis(c);
}
