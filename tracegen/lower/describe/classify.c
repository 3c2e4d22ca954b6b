/* The tables of classes, by name and by opcode. */
#include "tracegen/lower/describe/classify.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"

struct class_row {
  const char *name;
  enum trace_op_class op_class;
};

/* Built-in functions that GPUs execute as one plain operation. All others have class OP_MATH and a price by name. */
static const struct class_row builtins[] = {
    {"fma", OP_FLOAT_FMA},         {"mad", OP_FLOAT_FMA},         {"fabs", OP_FLOAT_ADD},
    {"fmin", OP_FLOAT_ADD},        {"fmax", OP_FLOAT_ADD},        {"copysign", OP_FLOAT_ADD},
    {"add_sat", OP_INT_ADD},       {"sub_sat", OP_INT_ADD},       {"abs", OP_INT_ADD},
    {"mul24", OP_INT_MUL},         {"mad24", OP_INT_MUL},         {"rotate", OP_INT_SHIFT},
    {"popcount", OP_INT_LOGIC},    {"clz", OP_INT_LOGIC},         {"ctz", OP_INT_LOGIC},
    {"select", OP_SELECT},         {"bitselect", OP_SELECT},      {"shuffle", OP_SHUFFLE},
    {"shuffle2", OP_SHUFFLE},      {"isnan", OP_FLOAT_CMP},       {"isinf", OP_FLOAT_CMP},
    {"isfinite", OP_FLOAT_CMP},    {"isnormal", OP_FLOAT_CMP},    {"isequal", OP_FLOAT_CMP},
    {"isnotequal", OP_FLOAT_CMP},  {"isgreater", OP_FLOAT_CMP},   {"isgreaterequal", OP_FLOAT_CMP},
    {"isless", OP_FLOAT_CMP},      {"islessequal", OP_FLOAT_CMP}, {"isordered", OP_FLOAT_CMP},
    {"isunordered", OP_FLOAT_CMP},
};

enum trace_op_class builtin_class(const char *name, LLVMTypeRef result) {
  uint32_t elements;
  const LLVMTypeKind kind = LLVMGetTypeKind(ir_element(result, &elements));
  if (strncmp(name, "convert_", 8) == 0)
    return OP_CONVERT;
  if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
    return kind == LLVMIntegerTypeKind ? OP_INT_ADD : OP_FLOAT_ADD;
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(name, builtins[i].name) == 0)
      return builtins[i].op_class;
  return OP_MATH;
}

/* By name without "llvm." and types. */
static const struct class_row intrinsics[] = {
    {"fma", OP_FLOAT_FMA},
    {"fmuladd", OP_FLOAT_FMA},
    {"fabs", OP_FLOAT_ADD},
    {"minnum", OP_FLOAT_ADD},
    {"maxnum", OP_FLOAT_ADD},
    {"minimum", OP_FLOAT_ADD},
    {"maximum", OP_FLOAT_ADD},
    {"copysign", OP_FLOAT_ADD},
    {"canonicalize", OP_FLOAT_ADD},
    {"is.fpclass", OP_FLOAT_CMP},
    {"smin", OP_INT_ADD},
    {"smax", OP_INT_ADD},
    {"umin", OP_INT_ADD},
    {"umax", OP_INT_ADD},
    {"abs", OP_INT_ADD},
    {"uadd.sat", OP_INT_ADD},
    {"sadd.sat", OP_INT_ADD},
    {"usub.sat", OP_INT_ADD},
    {"ssub.sat", OP_INT_ADD},
    {"uadd.with.overflow", OP_INT_ADD},
    {"sadd.with.overflow", OP_INT_ADD},
    {"usub.with.overflow", OP_INT_ADD},
    {"ssub.with.overflow", OP_INT_ADD},
    {"umul.with.overflow", OP_INT_MUL},
    {"smul.with.overflow", OP_INT_MUL},
    {"ctpop", OP_INT_LOGIC},
    {"ctlz", OP_INT_LOGIC},
    {"cttz", OP_INT_LOGIC},
    {"bswap", OP_INT_LOGIC},
    {"bitreverse", OP_INT_LOGIC},
    {"fshl", OP_INT_SHIFT},
    {"fshr", OP_INT_SHIFT},
    {"ushl.sat", OP_INT_SHIFT},
    {"sshl.sat", OP_INT_SHIFT},
    {"scmp", OP_INT_CMP},
    {"ucmp", OP_INT_CMP},
    {"fptosi.sat", OP_CONVERT},
    {"fptoui.sat", OP_CONVERT},
    {"sqrt", OP_MATH},
    {"floor", OP_MATH},
    {"ceil", OP_MATH},
    {"trunc", OP_MATH},
    {"rint", OP_MATH},
    {"nearbyint", OP_MATH},
    {"round", OP_MATH},
    {"roundeven", OP_MATH},
    {"exp", OP_MATH},
    {"exp2", OP_MATH},
    {"log", OP_MATH},
    {"log2", OP_MATH},
    {"log10", OP_MATH},
    {"pow", OP_MATH},
    {"powi", OP_MATH},
    {"sin", OP_MATH},
    {"cos", OP_MATH},
    {"ldexp", OP_MATH},
    {"vector.reduce.add", OP_INT_ADD},
    {"vector.reduce.mul", OP_INT_MUL},
    {"vector.reduce.and", OP_INT_LOGIC},
    {"vector.reduce.or", OP_INT_LOGIC},
    {"vector.reduce.xor", OP_INT_LOGIC},
    {"vector.reduce.smin", OP_INT_ADD},
    {"vector.reduce.smax", OP_INT_ADD},
    {"vector.reduce.umin", OP_INT_ADD},
    {"vector.reduce.umax", OP_INT_ADD},
    {"dbg", OP_CLASS_COUNT},
    {"lifetime", OP_CLASS_COUNT},
    {"assume", OP_CLASS_COUNT},
    {"experimental.noalias.scope.decl", OP_CLASS_COUNT},
    {"invariant", OP_CLASS_COUNT},
    {"donothing", OP_CLASS_COUNT},
    {"sideeffect", OP_CLASS_COUNT},
    {"expect", OP_MOVE},
    {"launder.invariant.group", OP_MOVE},
};

/* An intrinsic such as "llvm.fshl.v4i32" matches the longest row that it continues with '.' or ends with. */
int intrinsic_class(const char *full_name, enum trace_op_class *out, const char **name) {
  const char *text = full_name + strlen("llvm.");
  size_t best = 0;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
    const size_t length = strlen(intrinsics[i].name);
    if (length > best && strncmp(text, intrinsics[i].name, length) == 0 && (!text[length] || text[length] == '.')) {
      best = length;
      *out = intrinsics[i].op_class;
      *name = intrinsics[i].name;
    }
  }
  return best ? 0 : -1;
}

struct opcode_row {
  LLVMOpcode opcode;
  enum trace_op_class op_class;
};

static const struct opcode_row opcodes[] = {
    {LLVMAdd, OP_INT_ADD},
    {LLVMSub, OP_INT_ADD},
    {LLVMMul, OP_INT_MUL},
    {LLVMUDiv, OP_INT_DIV},
    {LLVMSDiv, OP_INT_DIV},
    {LLVMURem, OP_INT_DIV},
    {LLVMSRem, OP_INT_DIV},
    {LLVMAnd, OP_INT_LOGIC},
    {LLVMOr, OP_INT_LOGIC},
    {LLVMXor, OP_INT_LOGIC},
    {LLVMShl, OP_INT_SHIFT},
    {LLVMLShr, OP_INT_SHIFT},
    {LLVMAShr, OP_INT_SHIFT},
    {LLVMICmp, OP_INT_CMP},
    {LLVMFAdd, OP_FLOAT_ADD},
    {LLVMFSub, OP_FLOAT_ADD},
    {LLVMFNeg, OP_FLOAT_ADD},
    {LLVMFMul, OP_FLOAT_MUL},
    {LLVMFDiv, OP_FLOAT_DIV},
    {LLVMFRem, OP_FLOAT_DIV},
    {LLVMFCmp, OP_FLOAT_CMP},
    {LLVMFPToUI, OP_CONVERT},
    {LLVMFPToSI, OP_CONVERT},
    {LLVMUIToFP, OP_CONVERT},
    {LLVMSIToFP, OP_CONVERT},
    {LLVMFPTrunc, OP_CONVERT},
    {LLVMFPExt, OP_CONVERT},
    {LLVMTrunc, OP_EXTEND},
    {LLVMZExt, OP_EXTEND},
    {LLVMSExt, OP_EXTEND},
    {LLVMSelect, OP_SELECT},
    {LLVMExtractElement, OP_SHUFFLE},
    {LLVMInsertElement, OP_SHUFFLE},
    {LLVMShuffleVector, OP_SHUFFLE},
    {LLVMPHI, OP_MOVE},
    {LLVMBitCast, OP_MOVE},
    {LLVMAddrSpaceCast, OP_MOVE},
    {LLVMPtrToInt, OP_MOVE},
    {LLVMIntToPtr, OP_MOVE},
    {LLVMFreeze, OP_MOVE},
    {LLVMExtractValue, OP_MOVE},
    {LLVMInsertValue, OP_MOVE},
    {LLVMGetElementPtr, OP_ADDRESS},
    {LLVMBr, OP_BRANCH},
    {LLVMSwitch, OP_BRANCH},
    {LLVMRet, OP_BRANCH},
    {LLVMUnreachable, OP_BRANCH},
    {LLVMLoad, OP_LOAD},
    {LLVMStore, OP_STORE},
    {LLVMAtomicRMW, OP_ATOMIC},
    {LLVMAtomicCmpXchg, OP_ATOMIC},
    {LLVMAlloca, OP_CLASS_COUNT},
    {LLVMFence, OP_CLASS_COUNT},
};

int opcode_class(LLVMOpcode opcode, enum trace_op_class *out) {
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (opcodes[i].opcode == opcode) {
      *out = opcodes[i].op_class;
      return 0;
    }
  return -1;
}
