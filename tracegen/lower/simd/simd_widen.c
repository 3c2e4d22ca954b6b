/* One instruction for all lanes of a SIMD group. */
#include "tracegen/lower/simd/simd.h"

#include <assert.h>
#include <string.h>

LLVMTypeRef simd_type(LLVMTypeRef type) {
  return LLVMVectorType(type, SIMD_LANES);
}

LLVMValueRef simd_first(const struct simd_code *c, LLVMValueRef value) {
  uint32_t number;
  if (!value_map_get(&c->values->numbers, value, &number))
    return value; /* a constant, or a value that the entry block loads */
  assert(c->first[number]);
  return c->first[number];
}

LLVMValueRef simd_copy(struct simd_code *c, LLVMValueRef instruction) {
  LLVMValueRef copy = LLVMInstructionClone(instruction);
  for (int k = 0; k < LLVMGetNumOperands(instruction); k++)
    LLVMSetOperand(copy, (unsigned)k, simd_first(c, LLVMGetOperand(instruction, (unsigned)k)));
  LLVMInsertIntoBuilder(c->n.b, copy);
  return copy;
}

/* Vectors of existing values. */

/* Places the builder behind the value, or in the entry block where it is no instruction. */
static void go_behind(struct simd_code *c, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) {
    LLVMPositionBuilderAtEnd(c->n.b, c->n.entry);
    return;
  }
  LLVMValueRef next = LLVMGetNextInstruction(value);
  while (next && LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  if (next)
    LLVMPositionBuilderBefore(c->n.b, next);
  else
    LLVMPositionBuilderAtEnd(c->n.b, LLVMGetInstructionParent(value));
}

static LLVMValueRef repeat(const struct simd_code *c, LLVMValueRef value) {
  LLVMTypeRef type = simd_type(LLVMTypeOf(value));
  LLVMValueRef one = LLVMBuildInsertElement(c->n.b, LLVMGetUndef(type), value, simd_lane_number(c, 0), "");
  return LLVMBuildShuffleVector(c->n.b, one, LLVMGetUndef(type), LLVMConstNull(simd_type(c->n.i32)), "");
}

static LLVMValueRef constant_strides(LLVMTypeRef type, int64_t stride) {
  LLVMValueRef lanes[SIMD_LANES];
  for (unsigned lane = 0; lane < SIMD_LANES; lane++)
    lanes[lane] = LLVMConstInt(type, (uint64_t)stride * lane, true);
  return LLVMConstVector(lanes, SIMD_LANES);
}

static LLVMValueRef vector_behind(struct simd_code *c, LLVMValueRef value) {
  const struct simd_value known = simd_value_of(c->values, value);
  assert(known.kind == SIMD_AFFINE);
  if (known.assumed) { /* from the vectors of its operands, which are exact */
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
      simd_vector(c, LLVMGetOperand(value, (unsigned)k));
    go_behind(c, simd_first(c, value));
    return simd_widen(c, value);
  }
  LLVMValueRef first = simd_first(c, value);
  go_behind(c, first);
  LLVMValueRef all = repeat(c, first);
  return known.stride ? LLVMBuildAdd(c->n.b, all, constant_strides(LLVMTypeOf(first), known.stride), "") : all;
}

void simd_set_vector(struct simd_code *c, LLVMValueRef value, LLVMValueRef vector) {
  value_map_put(&c->vectors, value, c->list_count);
  c->list[c->list_count++] = vector;
}

LLVMValueRef simd_vector(struct simd_code *c, LLVMValueRef value) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->n.b);
  LLVMValueRef lanes[SIMD_LANES];
  uint32_t index;
  if (LLVMIsAConstant(value)) {
    for (unsigned lane = 0; lane < SIMD_LANES; lane++)
      lanes[lane] = value;
    return LLVMConstVector(lanes, SIMD_LANES);
  }
  if (value_map_get(&c->vectors, value, &index))
    return c->list[index];
  LLVMValueRef vector = vector_behind(c, value);
  LLVMPositionBuilderAtEnd(c->n.b, here);
  simd_set_vector(c, value, vector);
  return vector;
}

/* One lane. */

LLVMValueRef simd_lane_number(const struct simd_code *c, unsigned lane) {
  return LLVMConstInt(c->n.i64, lane, false);
}

static LLVMValueRef rebuilt_lane(struct simd_code *c, LLVMValueRef instruction, LLVMValueRef lane) {
  const int count = LLVMGetNumOperands(instruction);
  LLVMValueRef copy = LLVMInstructionClone(instruction);
  for (int k = 0; k < count; k++)
    LLVMSetOperand(copy, (unsigned)k, simd_lane(c, LLVMGetOperand(instruction, (unsigned)k), lane));
  LLVMInsertIntoBuilder(c->n.b, copy);
  return copy;
}

LLVMValueRef simd_lane(struct simd_code *c, LLVMValueRef value, LLVMValueRef lane) {
  const struct simd_value known = simd_value_of(c->values, value);
  if (known.kind == SIMD_VARYING)
    return LLVMBuildExtractElement(c->n.b, simd_vector(c, value), lane, "");
  LLVMValueRef first = simd_first(c, value);
  if (known.stride == 0)
    return first;
  if (known.assumed)
    return rebuilt_lane(c, value, lane);
  return simd_stride(c, first, known.stride, lane);
}

LLVMValueRef simd_stride(struct simd_code *c, LLVMValueRef first, int64_t stride, LLVMValueRef lane) {
  LLVMTypeRef type = LLVMTypeOf(first);
  LLVMValueRef way = LLVMBuildMul(c->n.b, lane, LLVMConstInt(c->n.i64, (uint64_t)stride, true), "");
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind
             ? LLVMBuildGEP2(c->n.b, c->n.i8, first, &way, 1, "")
             : LLVMBuildAdd(c->n.b, first, LLVMBuildTruncOrBitCast(c->n.b, way, type, ""), "");
}

/* Builds the instruction lane by lane: for functions of numbers, and for conversions whose result out of range
 * depends on the machine instruction. */
static LLVMValueRef lane_by_lane(struct simd_code *c, LLVMValueRef instruction) {
  LLVMValueRef all = LLVMGetUndef(simd_type(LLVMTypeOf(instruction)));
  for (unsigned k = 0; k < SIMD_LANES; k++) {
    LLVMValueRef lane = simd_lane_number(c, k), one = rebuilt_lane(c, instruction, lane);
    all = LLVMBuildInsertElement(c->n.b, all, one, lane, "");
  }
  return all;
}

/* All lanes. */

/* Builds the call of an intrinsic that exists for vectors, too; NULL: it does not. */
static LLVMValueRef widen_intrinsic(struct simd_code *c, LLVMValueRef call) {
  static const char *const names[] = {"llvm.fmuladd", "llvm.fma",  "llvm.fabs", "llvm.sqrt",
                                      "llvm.smin",    "llvm.smax", "llvm.umin", "llvm.umax"};
  LLVMTypeRef type = simd_type(LLVMTypeOf(call));
  LLVMValueRef arguments[3];
  const unsigned count = LLVMGetNumArgOperands(call);
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    known |= LLVMGetIntrinsicID(LLVMGetCalledValue(call)) == LLVMLookupIntrinsicID(names[i], strlen(names[i]));
  if (!known || count > 3)
    return NULL;
  for (unsigned k = 0; k < count; k++)
    arguments[k] = simd_vector(c, LLVMGetOperand(call, k));
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(c->n.l->module, LLVMGetIntrinsicID(LLVMGetCalledValue(call)), &type, 1);
  return LLVMBuildCall2(c->n.b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static LLVMValueRef widen_call(struct simd_code *c, LLVMValueRef call) {
  LLVMValueRef intrinsic = widen_intrinsic(c, call);
  return intrinsic ? intrinsic : lane_by_lane(c, call);
}

static LLVMValueRef widen_select(struct simd_code *c, LLVMValueRef select) {
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  const bool one = simd_value_of(c->values, condition).kind == SIMD_AFFINE;
  LLVMValueRef yes = simd_vector(c, LLVMGetOperand(select, 1)), no = simd_vector(c, LLVMGetOperand(select, 2));
  return LLVMBuildSelect(c->n.b, one ? simd_first(c, condition) : simd_vector(c, condition), yes, no, "");
}

LLVMValueRef simd_all_or_none(struct simd_code *c, LLVMValueRef condition, LLVMValueRef *all) {
  LLVMTypeRef type = LLVMIntTypeInContext(c->n.l->context, SIMD_LANES);
  LLVMValueRef bits = LLVMBuildBitCast(c->n.b, simd_vector(c, condition), type, "");
  *all = LLVMBuildICmp(c->n.b, LLVMIntEQ, bits, LLVMConstAllOnes(type), "");
  return LLVMBuildOr(c->n.b, *all, LLVMBuildICmp(c->n.b, LLVMIntEQ, bits, LLVMConstNull(type), ""), "");
}

LLVMValueRef simd_widen(struct simd_code *c, LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  switch ((int)opcode) {
  case LLVMCall:
    return widen_call(c, i);
  case LLVMFPToSI:
  case LLVMFPToUI:
    return lane_by_lane(c, i);
  case LLVMSelect:
    return widen_select(c, i);
  default:
    break;
  }
  LLVMValueRef a = simd_vector(c, LLVMGetOperand(i, 0));
  LLVMValueRef b = LLVMGetNumOperands(i) > 1 ? simd_vector(c, LLVMGetOperand(i, 1)) : NULL;
  switch ((int)opcode) {
  case LLVMFNeg:
    return LLVMBuildFNeg(c->n.b, a, "");
  case LLVMFreeze:
    return LLVMBuildFreeze(c->n.b, a, "");
  case LLVMICmp:
    return LLVMBuildICmp(c->n.b, LLVMGetICmpPredicate(i), a, b, "");
  case LLVMFCmp:
    return LLVMBuildFCmp(c->n.b, LLVMGetFCmpPredicate(i), a, b, "");
  default:
    return b ? LLVMBuildBinOp(c->n.b, opcode, a, b, "")
             : LLVMBuildCast(c->n.b, opcode, a, simd_type(LLVMTypeOf(i)), "");
  }
}
