/* LLVM's instructions and intrinsics, and calls of built-in functions -> classes of the code table. */
#include "tracegen/lower/describe/classify.h"

#include <stdio.h>
#include <string.h>

struct class_row {
  const char *name;
  enum trace_op_class op_class;
};

/* Built-in functions that GPUs execute as one plain operation; all others are OP_MATH, priced by name. */
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
  const LLVMTypeKind kind = LLVMGetTypeKind(lower_element(result, &elements));
  if (strncmp(name, "convert_", 8) == 0)
    return OP_CONVERT;
  if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
    return kind == LLVMIntegerTypeKind ? OP_INT_ADD : OP_FLOAT_ADD;
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(name, builtins[i].name) == 0)
      return builtins[i].op_class;
  return OP_MATH;
}

bool builtin_is_fence(LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  return strcmp(name, "mem_fence") == 0 || strcmp(name, "read_mem_fence") == 0 ||
         strcmp(name, "write_mem_fence") == 0 || strcmp(name, "atomic_work_item_fence") == 0;
}

/* By the intrinsic's name without "llvm." and types. */
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

/* "llvm.fshl.v4i32" starts with the row "fshl" and goes on with '.' or ends. */
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

int opcode_class(LLVMOpcode opcode, enum trace_op_class *out) {
  switch ((int)opcode) {
  case LLVMAdd:
  case LLVMSub:
    *out = OP_INT_ADD;
    return 0;
  case LLVMMul:
    *out = OP_INT_MUL;
    return 0;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    *out = OP_INT_DIV;
    return 0;
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    *out = OP_INT_LOGIC;
    return 0;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    *out = OP_INT_SHIFT;
    return 0;
  case LLVMICmp:
    *out = OP_INT_CMP;
    return 0;
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFNeg:
    *out = OP_FLOAT_ADD;
    return 0;
  case LLVMFMul:
    *out = OP_FLOAT_MUL;
    return 0;
  case LLVMFDiv:
  case LLVMFRem:
    *out = OP_FLOAT_DIV;
    return 0;
  case LLVMFCmp:
    *out = OP_FLOAT_CMP;
    return 0;
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
    *out = OP_CONVERT;
    return 0;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
    *out = OP_EXTEND;
    return 0;
  case LLVMSelect:
    *out = OP_SELECT;
    return 0;
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
    *out = OP_SHUFFLE;
    return 0;
  case LLVMPHI:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
    *out = OP_MOVE;
    return 0;
  case LLVMGetElementPtr:
    *out = OP_ADDRESS;
    return 0;
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMUnreachable:
    *out = OP_BRANCH;
    return 0;
  case LLVMLoad:
    *out = OP_LOAD;
    return 0;
  case LLVMStore:
    *out = OP_STORE;
    return 0;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    *out = OP_ATOMIC;
    return 0;
  case LLVMAlloca:
  case LLVMFence:
    *out = OP_CLASS_COUNT;
    return 0;
  default:
    return -1;
  }
}
