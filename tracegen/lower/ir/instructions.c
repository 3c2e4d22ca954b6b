/* Iteration over instructions, questions about them, and the changes that several passes make. */
#include "tracegen/lower/ir/instructions.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

#define SPIR_KERNEL 76                /* calling convention: llvm/IR/CallingConv.h */
#define FROM_SOURCE "reassemble-user" /* attribute of functions */

/* Iteration. */

static LLVMValueRef first_from(LLVMBasicBlockRef block) {
  while (block && !LLVMGetFirstInstruction(block))
    block = LLVMGetNextBasicBlock(block);
  return block ? LLVMGetFirstInstruction(block) : NULL;
}

LLVMValueRef ir_first(LLVMValueRef function) {
  return first_from(LLVMGetFirstBasicBlock(function));
}

LLVMValueRef ir_next(LLVMValueRef instruction) {
  LLVMValueRef next = LLVMGetNextInstruction(instruction);
  return next ? next : first_from(LLVMGetNextBasicBlock(LLVMGetInstructionParent(instruction)));
}

/* Questions. */

const char *ir_name(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

LLVMValueRef ir_callee(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
  return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

bool ir_calls(LLVMValueRef value, const char *prefix) {
  LLVMValueRef callee = ir_callee(value);
  return callee && strncmp(ir_name(callee), prefix, strlen(prefix)) == 0;
}

unsigned ir_operand_count(LLVMValueRef value) {
  return LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
}

unsigned ir_space(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

bool ir_is_division(LLVMValueRef value) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

bool ir_is_from_source(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, FROM_SOURCE, strlen(FROM_SOURCE)) != NULL;
}

void ir_set_from_source(LLVMValueRef function) {
  LLVMAddTargetDependentFunctionAttr(function, FROM_SOURCE, "");
}

bool ir_is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == SPIR_KERNEL && !LLVMIsDeclaration(function) &&
         !strstr(ir_name(function), "_block_invoke"); /* what clang makes of a block that is enqueued */
}

LLVMOpcode ir_opcode(LLVMValueRef value) {
  return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
         : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                      : LLVMRet;
}

/* Types. */

bool ir_is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

LLVMTypeRef ir_element(LLVMTypeRef type, uint32_t *elements) {
  *elements = ir_is_vector(type) ? LLVMGetVectorSize(type) : 1;
  return ir_is_vector(type) ? LLVMGetElementType(type) : type;
}

uint32_t ir_elements(LLVMValueRef value) {
  uint32_t elements;
  ir_element(LLVMTypeOf(value), &elements);
  return elements;
}

/* An integer of more than 64 bits counts as several elements of 64 bits. */
static uint8_t integer_type(unsigned bits, uint32_t *elements) {
  *elements *= bits <= 64 ? 1 : (bits + 63) / 64;
  return bits == 1 ? TYPE_I1 : bits <= 8 ? TYPE_I8 : bits <= 16 ? TYPE_I16 : bits <= 32 ? TYPE_I32 : TYPE_I64;
}

int ir_trace_type(LLVMTypeRef type, uint8_t *out, uint32_t *elements) {
  static const int8_t others[] = {[LLVMVoidTypeKind] = TYPE_VOID + 1,
                                  [LLVMHalfTypeKind] = TYPE_F16 + 1,
                                  [LLVMFloatTypeKind] = TYPE_F32 + 1,
                                  [LLVMDoubleTypeKind] = TYPE_F64 + 1,
                                  [LLVMPointerTypeKind] = TYPE_PTR + 1};
  type = ir_element(type, elements);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind) {
    *out = integer_type(LLVMGetIntTypeWidth(type), elements);
    return 0;
  }
  if ((size_t)kind >= sizeof others || !others[kind])
    return -1;
  *out = (uint8_t)(others[kind] - 1);
  return 0;
}

/* Building. */

LLVMValueRef ir_offset(struct lowering *l, LLVMBuilderRef b, LLVMValueRef pointer, uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(l->context), offset, false);
  return LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(l->context), pointer, &index, 1, "");
}

void ir_build_before(LLVMBuilderRef b, LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(b, instruction);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(instruction));
}

void ir_build_behind(LLVMBuilderRef b, LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(instruction));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(instruction));
}

/* Functions. */

/* From LLVM 16 on the attribute "memory" of value 0 replaces "readnone". */
#define READS_NO_MEMORY (REASSEMBLE_LLVM_MAJOR < 16 ? "readnone" : "memory")

void ir_add_attribute(struct lowering *l, LLVMValueRef function, const char *name, uint64_t value) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (kind)
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(l->context, kind, value));
}

void ir_remove_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

LLVMAttributeRef ir_parameter_attribute(LLVMValueRef function, unsigned parameter, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, parameter + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

void ir_make_opaque(struct lowering *l, LLVMValueRef function) {
  ir_add_attribute(l, function, "noinline", 0);
  ir_add_attribute(l, function, "optnone", 0);
}

LLVMValueRef ir_declare(struct lowering *l, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  return function ? function : LLVMAddFunction(l->module, name, type);
}

/* Calls have attributes of their own: clang makes every call convergent, which must not leave its loop. */
void ir_make_invariant(struct lowering *l, LLVMValueRef function) {
  static const char *const attributes[] = {READS_NO_MEMORY, "nounwind", "willreturn", "nosync", "speculatable"};
  static const char convergent[] = "convergent";
  const unsigned kind = LLVMGetEnumAttributeKindForName(convergent, sizeof convergent - 1);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    ir_add_attribute(l, function, attributes[i], 0);
  ir_remove_attribute(function, convergent);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (ir_callee(LLVMGetUser(use)) == function)
      LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex, kind);
}

void ir_touch_hidden_memory(struct lowering *l, LLVMValueRef function) {
#if REASSEMBLE_LLVM_MAJOR < 16
  static const char *const names[] = {"inaccessiblememonly", "nounwind", "willreturn", "nomerge"};
  const uint64_t touched = 0;
#else /* llvm/Support/ModRef.h: two bits each for arguments, inaccessible memory and other memory */
  static const char *const names[] = {"memory", "nounwind", "willreturn", "nomerge"};
  const uint64_t touched = 3 << 2;
#endif
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ir_add_attribute(l, function, names[i], i == 0 ? touched : 0);
}

static LLVMValueRef declare_with(struct lowering *l, const char *name, LLVMTypeRef type,
                                 const char *const *attributes) {
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (function)
    return function;
  function = LLVMAddFunction(l->module, name, type);
  for (; *attributes; attributes++)
    ir_add_attribute(l, function, *attributes, 0);
  return function;
}

LLVMValueRef ir_declare_pure(struct lowering *l, const char *name, LLVMTypeRef type) {
  static const char *const attributes[] = {READS_NO_MEMORY, "nounwind", "willreturn", "nocallback", "nosync", NULL};
  return declare_with(l, name, type, attributes);
}

LLVMValueRef ir_declare_trap(struct lowering *l, const char *name, LLVMTypeRef type) {
  static const char *const attributes[] = {"noreturn", "nounwind", "cold", NULL};
  return declare_with(l, name, type, attributes);
}

/* Blocks. */

static void retarget_predecessors(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef value = LLVMBasicBlockAsValue(from);
  for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
      continue;
    const int count = LLVMGetNumOperands(user);
    for (int i = 0; i < count; i++)
      if (LLVMGetOperand(user, (unsigned)i) == value) {
        LLVMSetOperand(user, (unsigned)i, LLVMBasicBlockAsValue(to));
        next = LLVMGetFirstUse(value); /* the list of uses has changed */
        break;
      }
  }
}

LLVMBasicBlockRef ir_split_behind(struct lowering *l, LLVMValueRef instruction) {
  LLVMBasicBlockRef rest = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(l->context, rest, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  retarget_predecessors(rest, front);
  LLVMPositionBuilderAtEnd(builder, front);
  LLVMValueRef moved;
  do {
    moved = LLVMGetFirstInstruction(rest);
    LLVMInstructionRemoveFromParent(moved);
    LLVMInsertIntoBuilder(builder, moved);
  } while (moved != instruction);
  LLVMDisposeBuilder(builder);
  return front;
}

/* A constant condition is frozen: the block is split behind an instruction in every case. */
void ir_branch_when(struct lowering *l, LLVMBuilderRef b, LLVMValueRef condition, LLVMValueRef instruction) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  if (!LLVMIsAInstruction(condition))
    condition = LLVMBuildFreeze(b, condition, "");
  LLVMBasicBlockRef front = ir_split_behind(l, condition), rest = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef taken = LLVMAppendBasicBlockInContext(l->context, function, "");
  LLVMPositionBuilderAtEnd(b, front);
  LLVMBuildCondBr(b, condition, taken, rest);
  LLVMPositionBuilderAtEnd(b, taken);
}

LLVMValueRef ir_any(struct lowering *l, LLVMBuilderRef b, LLVMValueRef condition) {
  const uint32_t elements = ir_elements(condition);
  if (!ir_is_vector(LLVMTypeOf(condition)))
    return condition;
  LLVMTypeRef bits = LLVMIntTypeInContext(l->context, elements);
  return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildBitCast(b, condition, bits, ""), LLVMConstInt(bits, 0, false), "");
}
