/* The tables of classes, by name and by opcode. */
#include "tracegen/lower/describe/classify.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"

enum { MOST_NAMES = 24, MOST_OPCODES = 8 };

struct named_class {
  enum trace_op_class op_class;
  const char *names[MOST_NAMES]; /* the rest is NULL */
};

/* Built-in functions that GPUs execute as one plain operation. All others have class OP_MATH and a price by name. */
static const struct named_class builtins[] = {
    {OP_FLOAT_FMA, {"fma", "mad"}},
    {OP_FLOAT_ADD, {"fabs", "fmin", "fmax", "copysign"}},
    {OP_INT_ADD, {"add_sat", "sub_sat", "abs"}},
    {OP_INT_MUL, {"mul24", "mad24"}},
    {OP_INT_SHIFT, {"rotate", "bitfield_insert", "bitfield_extract_signed", "bitfield_extract_unsigned"}},
    {OP_INT_LOGIC, {"popcount", "clz", "ctz", "bit_reverse"}},
    {OP_SELECT, {"select", "bitselect"}},
    {OP_SHUFFLE, {"shuffle", "shuffle2"}},
    {OP_FLOAT_CMP,
     {"isnan", "isinf", "isfinite", "isnormal", "isequal", "isnotequal", "isgreater", "isgreaterequal", "isless",
      "islessequal", "isordered", "isunordered"}}};

enum trace_op_class builtin_class(const char *name, LLVMTypeRef result) {
  uint32_t elements;
  const LLVMTypeKind kind = LLVMGetTypeKind(ir_element(result, &elements));
  if (strncmp(name, "convert_", 8) == 0)
    return OP_CONVERT;
  if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
    return kind == LLVMIntegerTypeKind ? OP_INT_ADD : OP_FLOAT_ADD;
  for (const struct named_class *c = builtins; c < builtins + sizeof builtins / sizeof *builtins; c++)
    for (size_t i = 0; i < MOST_NAMES && c->names[i]; i++)
      if (strcmp(name, c->names[i]) == 0)
        return c->op_class;
  return OP_MATH;
}

/* By name without "llvm." and types. */
static const struct named_class intrinsics[] = {
    {OP_FLOAT_FMA, {"fma", "fmuladd"}},
    {OP_FLOAT_ADD, {"fabs", "minnum", "maxnum", "minimum", "maximum", "copysign", "canonicalize"}},
    {OP_FLOAT_CMP, {"is.fpclass"}},
    {OP_INT_ADD,
     {"smin", "smax", "umin", "umax", "abs", "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat", "uadd.with.overflow",
      "sadd.with.overflow", "usub.with.overflow", "ssub.with.overflow", "vector.reduce.add", "vector.reduce.smin",
      "vector.reduce.smax", "vector.reduce.umin", "vector.reduce.umax"}},
    {OP_INT_MUL, {"umul.with.overflow", "smul.with.overflow", "vector.reduce.mul"}},
    {OP_INT_LOGIC,
     {"ctpop", "ctlz", "cttz", "bswap", "bitreverse", "vector.reduce.and", "vector.reduce.or", "vector.reduce.xor"}},
    {OP_INT_SHIFT, {"fshl", "fshr", "ushl.sat", "sshl.sat"}},
    {OP_INT_CMP, {"scmp", "ucmp"}},
    {OP_CONVERT, {"fptosi.sat", "fptoui.sat"}},
    {OP_MATH,
     {"sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "exp", "exp2", "log", "log2",
      "log10", "pow", "powi", "sin", "cos", "ldexp"}},
    {OP_CLASS_COUNT,
     {"dbg", "lifetime", "assume", "experimental.noalias.scope.decl", "invariant", "donothing", "sideeffect"}},
    {OP_MOVE, {"expect", "launder.invariant.group"}}};

/* An intrinsic such as "llvm.fshl.v4i32" matches the longest row that it continues with '.' or ends with. */
int intrinsic_class(const char *full_name, enum trace_op_class *out, const char **name) {
  const char *text = full_name + strlen("llvm.");
  size_t best = 0;
  for (const struct named_class *c = intrinsics; c < intrinsics + sizeof intrinsics / sizeof *intrinsics; c++)
    for (size_t i = 0; i < MOST_NAMES && c->names[i]; i++) {
      const size_t length = strlen(c->names[i]);
      if (length > best && strncmp(text, c->names[i], length) == 0 && (!text[length] || text[length] == '.')) {
        best = length;
        *out = c->op_class;
        *name = c->names[i];
      }
    }
  return best ? 0 : -1;
}

struct opcode_class {
  enum trace_op_class op_class;
  LLVMOpcode opcodes[MOST_OPCODES]; /* the rest is 0, which is no opcode */
};

static const struct opcode_class opcodes[] = {
    {OP_INT_ADD, {LLVMAdd, LLVMSub}},
    {OP_INT_MUL, {LLVMMul}},
    {OP_INT_DIV, {LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem}},
    {OP_INT_LOGIC, {LLVMAnd, LLVMOr, LLVMXor}},
    {OP_INT_SHIFT, {LLVMShl, LLVMLShr, LLVMAShr}},
    {OP_INT_CMP, {LLVMICmp}},
    {OP_FLOAT_ADD, {LLVMFAdd, LLVMFSub, LLVMFNeg}},
    {OP_FLOAT_MUL, {LLVMFMul}},
    {OP_FLOAT_DIV, {LLVMFDiv, LLVMFRem}},
    {OP_FLOAT_CMP, {LLVMFCmp}},
    {OP_CONVERT, {LLVMFPToUI, LLVMFPToSI, LLVMUIToFP, LLVMSIToFP, LLVMFPTrunc, LLVMFPExt}},
    {OP_EXTEND, {LLVMTrunc, LLVMZExt, LLVMSExt}},
    {OP_SELECT, {LLVMSelect}},
    {OP_SHUFFLE, {LLVMExtractElement, LLVMInsertElement, LLVMShuffleVector}},
    {OP_MOVE,
     {LLVMPHI, LLVMBitCast, LLVMAddrSpaceCast, LLVMPtrToInt, LLVMIntToPtr, LLVMFreeze, LLVMExtractValue,
      LLVMInsertValue}},
    {OP_ADDRESS, {LLVMGetElementPtr}},
    {OP_BRANCH, {LLVMBr, LLVMSwitch, LLVMRet, LLVMUnreachable}},
    {OP_LOAD, {LLVMLoad}},
    {OP_STORE, {LLVMStore}},
    {OP_ATOMIC, {LLVMAtomicRMW, LLVMAtomicCmpXchg}},
    {OP_CLASS_COUNT, {LLVMAlloca, LLVMFence}}};

int opcode_class(LLVMOpcode opcode, enum trace_op_class *out) {
  for (const struct opcode_class *c = opcodes; c < opcodes + sizeof opcodes / sizeof *opcodes; c++)
    for (size_t i = 0; i < MOST_OPCODES && c->opcodes[i]; i++)
      if (c->opcodes[i] == opcode) {
        *out = c->op_class;
        return 0;
      }
  return -1;
}
