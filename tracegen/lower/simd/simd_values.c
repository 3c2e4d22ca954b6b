/* Finds the values that are uniform over the lanes of a SIMD group, those that are affine and those that vary: the
 * values of affine ones follow from the first lane's. */
#include "tracegen/lower/simd/simd.h"

#include <stdlib.h>

#include "tracegen/lower/ir/builtin_names.h"

static const struct simd_value uniform = {.kind = SIMD_AFFINE}, varying = {.kind = SIMD_VARYING};

struct simd_value simd_value_of(const struct simd_values *values, LLVMValueRef value) {
  uint32_t number;
  return value_map_get(&values->numbers, value, &number) ? values->list[number] : uniform;
}

static unsigned integer_bits(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind   ? LLVMGetIntTypeWidth(type)
         : LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64
                                                        : 0;
}

/* Returns an affine value whose stride has the width of the type; one that could wrap around within the group is
 * varying. */
static struct simd_value affine(LLVMTypeRef type, int64_t stride, bool assumed) {
  const unsigned bits = integer_bits(type);
  if (stride == 0 && !assumed)
    return uniform;
  if (bits < 8 || bits > 64 || stride == 0)
    return varying;
  const int64_t most = (INT64_C(1) << (bits - 2)) / SIMD_LANES;
  if (bits < 64)
    stride = (int64_t)((uint64_t)stride << (64 - bits)) >> (64 - bits);
  return stride > most || stride < -most ? varying : (struct simd_value){SIMD_AFFINE, assumed, stride};
}

static bool multiply(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

bool simd_is_number(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

/* Adds the strides of all indices; those of arrays and pointers count times the size of an element. */
static struct simd_value address_value(const struct simd_values *v, LLVMValueRef i) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  const struct simd_value base = simd_value_of(v, LLVMGetOperand(i, 0));
  int64_t stride = base.stride, bytes;
  bool assumed = base.assumed;
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind)
    return varying;
  for (int k = 1; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
    const struct simd_value value = simd_value_of(v, index);
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
      continue;
    }
    if (k > 1)
      type = LLVMGetElementType(type);
    if (value.stride != 0 && (integer_bits(LLVMTypeOf(index)) != 64 ||
                              !multiply(value.stride, (int64_t)LLVMABISizeOfType(v->l->layout, type), &bytes) ||
                              __builtin_add_overflow(stride, bytes, &stride)))
      return varying;
    assumed |= value.assumed;
  }
  return affine(LLVMTypeOf(i), stride, assumed);
}

static struct simd_value sum_value(LLVMValueRef i, struct simd_value a, struct simd_value b, bool minus) {
  int64_t stride;
  const bool overflow =
      minus ? __builtin_sub_overflow(a.stride, b.stride, &stride) : __builtin_add_overflow(a.stride, b.stride, &stride);
  return overflow ? varying : affine(LLVMTypeOf(i), stride, a.assumed || b.assumed);
}

static struct simd_value product_value(LLVMValueRef i, struct simd_value a, LLVMValueRef factor, bool shift) {
  int64_t stride;
  if (!simd_is_number(factor))
    return varying;
  const int64_t by = LLVMConstIntGetSExtValue(factor);
  if (shift && (by < 0 || by > 62))
    return varying;
  return multiply(a.stride, shift ? INT64_C(1) << by : by, &stride) ? affine(LLVMTypeOf(i), stride, a.assumed)
                                                                    : varying;
}

/* Assumes that the extended index does not wrap around: where it does, two lanes are 4 GiB diverged, and one of them is
 * out of bounds. An index of fewer bits often wraps around on purpose. */
static struct simd_value extended_value(LLVMValueRef i, struct simd_value from, unsigned bits) {
  return from.assumed || bits < 32 ? varying : affine(LLVMTypeOf(i), from.stride, true);
}

/* Returns the number of bits by which `value` was just shifted to the left; 0: it was not. */
static uint64_t shifted_by(LLVMValueRef value) {
  const bool shift = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMShl;
  return shift && simd_is_number(LLVMGetOperand(value, 1)) ? LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) : 0;
}

/* x << n >> n extends the low bits of x. */
static struct simd_value shifted_back_value(LLVMValueRef i, struct simd_value from) {
  const uint64_t left = shifted_by(LLVMGetOperand(i, 0));
  LLVMValueRef right = LLVMGetOperand(i, 1);
  return left && left + 32 <= integer_bits(LLVMTypeOf(i)) && simd_is_number(right) &&
                 LLVMConstIntGetZExtValue(right) == left && !from.assumed
             ? affine(LLVMTypeOf(i), from.stride >> left, true)
             : varying;
}

/* x & 0xffffffff extends the low bits of x. */
static struct simd_value masked_value(LLVMValueRef i, struct simd_value from) {
  const uint64_t mask = simd_is_number(LLVMGetOperand(i, 1)) ? LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) : 0;
  return (mask & (mask + 1)) == 0 ? extended_value(i, from, (unsigned)__builtin_popcountll(mask)) : varying;
}

/* (x << 3) | 5 is a sum. */
static struct simd_value or_value(LLVMValueRef i, struct simd_value from) {
  LLVMValueRef set = LLVMGetOperand(i, 1);
  const uint64_t left = shifted_by(LLVMGetOperand(i, 0));
  return left < 63 && simd_is_number(set) && LLVMConstIntGetZExtValue(set) < UINT64_C(1) << left
             ? affine(LLVMTypeOf(i), from.stride, from.assumed)
             : varying;
}

/* Returns the value of an instruction whose operands are affine and not all uniform. */
static struct simd_value affine_value(const struct simd_values *v, LLVMValueRef i) {
  LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  const struct simd_value a = simd_value_of(v, first);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAdd:
  case LLVMSub:
    return sum_value(i, a, simd_value_of(v, second), LLVMGetInstructionOpcode(i) == LLVMSub);
  case LLVMMul:
    return simd_is_number(first) ? product_value(i, simd_value_of(v, second), first, false)
                                 : product_value(i, a, second, false);
  case LLVMShl:
    return product_value(i, a, second, true);
  case LLVMTrunc:
    return a.assumed ? varying : affine(LLVMTypeOf(i), a.stride, false);
  case LLVMSExt:
  case LLVMZExt:
    return extended_value(i, a, integer_bits(LLVMTypeOf(first)));
  case LLVMAShr:
  case LLVMLShr:
    return shifted_back_value(i, a);
  case LLVMAnd:
    return masked_value(i, a);
  case LLVMOr:
    return or_value(i, a);
  case LLVMGetElementPtr:
    return address_value(v, i);
  default:
    return varying;
  }
}

static struct simd_value phi_value(const struct simd_values *v, LLVMValueRef i) {
  struct simd_value all = {.kind = SIMD_UNKNOWN};
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
    const struct simd_value one = simd_value_of(v, LLVMGetIncomingValue(i, k));
    if (one.kind == SIMD_UNKNOWN)
      continue;
    if (one.assumed || one.kind == SIMD_VARYING || (all.kind == SIMD_AFFINE && all.stride != one.stride))
      return varying;
    all = one;
  }
  return all;
}

static struct simd_value query_value(LLVMValueRef call, int row) {
  const bool linear = row == QUERY_GLOBAL_LINEAR_ID || row == QUERY_LOCAL_LINEAR_ID;
  if (!linear && row != QUERY_GLOBAL_ID && row != QUERY_LOCAL_ID)
    return uniform;
  if (!linear && !simd_is_number(LLVMGetOperand(call, 0)))
    return varying;
  const bool along = linear || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) == 0;
  return along ? (struct simd_value){SIMD_AFFINE, false, 1} : uniform;
}

/* A load depends on its address, another instruction on its operands. */
static struct simd_value instruction_value(const struct simd_values *v, LLVMValueRef i) {
  bool all_shared = true;
  if (LLVMIsAPHINode(i))
    return phi_value(v, i);
  const int row = ir_callee(i) ? builtin_query(ir_callee(i)) : -1;
  if (row >= 0)
    return query_value(i, row);
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    const struct simd_value operand = simd_value_of(v, LLVMGetOperand(i, (unsigned)k));
    if (operand.kind == SIMD_UNKNOWN)
      return operand;
    if (operand.kind == SIMD_VARYING)
      return varying;
    all_shared &= operand.stride == 0;
  }
  return all_shared ? uniform : affine_value(v, i);
}

static bool number_instructions(struct simd_values *v) {
  const uint32_t blocks = v->l->program->code.block_count;
  for (uint32_t id = 0; id < blocks; id++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[id]); i; i = LLVMGetNextInstruction(i))
      if (!value_map_put(&v->numbers, i, v->count++))
        return false;
  v->list = calloc(v->count + 1, sizeof *v->list);
  return v->list != NULL;
}

/* Computes a fixed point, upwards from nothing known. */
static void find_values(struct simd_values *v) {
  const uint32_t blocks = v->l->program->code.block_count;
  for (bool changed = true; changed;) {
    uint32_t number = 0;
    changed = false;
    for (uint32_t id = 0; id < blocks; id++)
      for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[id]); i; i = LLVMGetNextInstruction(i), number++) {
        struct simd_value *old = &v->list[number];
        const struct simd_value now = old->kind == SIMD_VARYING ? varying : instruction_value(v, i);
        const bool differs = now.kind != old->kind || now.stride != old->stride || now.assumed != old->assumed;
        /* values only rise: one whose stride has changed is varying */
        *old = differs && old->kind == SIMD_AFFINE ? varying : now;
        changed |= differs;
      }
  }
}

int simd_values_find(struct lowering *l, struct simd_values *v) {
  *v = (struct simd_values){.l = l};
  if (!number_instructions(v)) {
    simd_values_clear(v);
    return lower_no_memory(l);
  }
  find_values(v);
  return 0;
}

void simd_values_clear(struct simd_values *v) {
  value_map_clear(&v->numbers);
  free(v->list);
  *v = (struct simd_values){0};
}
