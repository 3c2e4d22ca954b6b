#include "tracegen/sanitize/elided_accesses.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#define TRAP   "reassemble.outside"
#define NUMBER "reassemble.variable"
#define NONE   0 /* number of no variable; others count from 1 */

struct guard {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef i32, i64;
  LLVMValueRef access;
  uint64_t bytes; /* that are accessed */
  bool stores;
};

static unsigned number_kind(struct lowering *l) {
  return LLVMGetMDKindIDInContext(l->context, NUMBER, (unsigned)strlen(NUMBER));
}

static uint32_t number_of(struct lowering *l, LLVMValueRef variable) {
  LLVMValueRef node = LLVMGetMetadata(variable, number_kind(l)), values[2];
  if (!node)
    return NONE;
  LLVMGetMDNodeOperands(node, values);
  return (uint32_t)LLVMConstIntGetZExtValue(values[0]);
}

const char *lost_access_name(struct lowering *l, LLVMValueRef variable) {
  LLVMValueRef node = LLVMGetMetadata(variable, number_kind(l)), values[2];
  unsigned length;
  if (!node)
    return "";
  LLVMGetMDNodeOperands(node, values);
  return LLVMGetMDString(values[1], &length);
}

static bool is_in_parts(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind;
}

/* Elements of a vector by a number that is not known. */
static bool picks(LLVMValueRef i) {
  return (LLVMIsAExtractElementInst(i) && !LLVMIsAConstant(LLVMGetOperand(i, 1))) ||
         (LLVMIsAInsertElementInst(i) && !LLVMIsAConstant(LLVMGetOperand(i, 2)));
}

/* A null pointer to private memory comes into play. */
static bool takes_null(LLVMValueRef i) {
  if (!LLVMIsAStoreInst(i) && !LLVMIsAPHINode(i) && !LLVMIsASelectInst(i))
    return false;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, k));
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0 &&
        LLVMIsNull(LLVMGetOperand(i, k)))
      return true;
  }
  return false;
}

static bool is_lifetime(LLVMValueRef i) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime.", 14) == 0;
}

/* Every access takes the whole variable, or its beginning: nothing can lie outside. */
static bool is_never_left(const struct lowering *l, LLVMValueRef variable) {
  const uint64_t size = LLVMStoreSizeOfType(l->layout, LLVMGetAllocatedType(variable));
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef i = LLVMGetUser(use);
    const bool stores = LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable && LLVMGetOperand(i, 0) != variable;
    if (is_lifetime(i))
      continue;
    if ((!stores && !LLVMIsALoadInst(i)) ||
        LLVMStoreSizeOfType(l->layout, LLVMTypeOf(stores ? LLVMGetOperand(i, 0) : i)) > size)
      return false;
  }
  return true;
}

int lost_accesses_number(struct lowering *l) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        l->may_lose |= picks(i) || takes_null(i);
        if (!LLVMIsAAllocaInst(i) || !is_in_parts(LLVMGetAllocatedType(i)) || is_never_left(l, i))
          continue;
        size_t length;
        const char *name = LLVMGetValueName2(i, &length);
        LLVMMetadataRef parts[] = {LLVMValueAsMetadata(LLVMConstInt(i32, ++l->numbered_variables, false)),
                                   LLVMMDStringInContext2(l->context, name, length)};
        LLVMSetMetadata(i, number_kind(l), LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, parts, 2)));
      }
  l->suspects = calloc(l->numbered_variables + 1, sizeof *l->suspects);
  return l->suspects ? 0 : error_set(l->error, ERROR_WORK, "out of memory");
}

bool lost_accesses_may_be(const struct lowering *l) {
  return l->may_lose || l->numbered_variables > 0;
}

/* Traps. */

bool lost_access_is_trap(LLVMValueRef function) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), TRAP) == 0;
}

/* What a message says is in program->elided_accesses, in a version that is rehearsed. */
static int note(struct guard *g, LLVMValueRef variable, uint64_t size, uint32_t *index) {
  struct kernel_variables *sites = &g->l->program->elided_accesses;
  size_t length;
  *index = sites->count;
  if (!g->l->program->is_dry_run)
    return 0;
  if (kernel_variable_add(sites, variable ? LLVMGetValueName2(variable, &length) : "", size, (uint32_t)g->bytes))
    return error_set(g->l->error, ERROR_WORK, "out of memory");
  sites->list[*index].is_stored = g->stores;
  return 0;
}

/* Ends the run in front of the access when `bad`. `offset`: 64 bits, for the message. */
static int trap_if(struct guard *g, LLVMValueRef bad, LLVMValueRef offset, LLVMValueRef variable, uint64_t size) {
  uint32_t site;
  if (LLVMIsAConstantInt(bad) && LLVMIsNull(bad))
    return 0;
  if (note(g, variable, size, &site))
    return -1;
  LLVMTypeRef types[] = {g->i32, g->i32, g->i64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->l->context), types, 3, false);
  LLVMValueRef arguments[] = {LLVMConstInt(g->i32, site, false),
                              LLVMConstInt(g->i32, variable ? number_of(g->l, variable) : NONE, false), offset};
  lower_trap_when(g->l, g->b, bad, g->access);
  LLVMBuildCall2(g->b, type, lower_declare_trap(g->l, TRAP, type), arguments, 3, "");
  LLVMBuildUnreachable(g->b);
  return 0;
}

/* Bytes from `root` to `pointer`, at the builder's place. */
static LLVMValueRef offset_in(const struct guard *g, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef sum = LLVMConstInt(g->i64, 0, false);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i), part;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      part = LLVMConstInt(g->i64, LLVMOffsetOfElement(g->l->layout, type, member), false);
      type = LLVMStructGetTypeAtIndex(type, member);
    } else {
      if (i > 1)
        type = LLVMGetElementType(type);
      part = LLVMBuildMul(g->b, LLVMBuildIntCast2(g->b, index, g->i64, true, ""),
                          LLVMConstInt(g->i64, LLVMABISizeOfType(g->l->layout, type), false), "");
    }
    sum = LLVMBuildAdd(g->b, sum, part, "");
  }
  return sum;
}

static int guard_pointer(struct guard *g, LLVMValueRef pointer) {
  LLVMValueRef offset = LLVMConstInt(g->i64, 0, false);
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0)
    return 0;
  LLVMPositionBuilderBefore(g->b, g->access);
  LLVMSetCurrentDebugLocation2(g->b, LLVMInstructionGetDebugLoc(g->access));
  for (; LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer); pointer = LLVMGetOperand(pointer, 0))
    if (LLVMIsAGetElementPtrInst(pointer))
      offset = LLVMBuildAdd(g->b, offset, offset_in(g, pointer), "");
  if (!LLVMIsAAllocaInst(pointer)) {
    LLVMValueRef null = LLVMConstNull(LLVMTypeOf(pointer));
    return trap_if(g, LLVMBuildICmp(g->b, LLVMIntEQ, pointer, null, ""), offset, NULL, 0);
  }
  const uint64_t size = LLVMABISizeOfType(g->l->layout, LLVMGetAllocatedType(pointer));
  LLVMValueRef room = LLVMConstInt(g->i64, size - g->bytes, false);
  return trap_if(g,
                 size < g->bytes ? LLVMConstInt(LLVMInt1TypeInContext(g->l->context), 1, false)
                                 : LLVMBuildICmp(g->b, LLVMIntUGT, offset, room, ""),
                 offset, pointer, size);
}

/* An element that there is not. */
static int guard_pick(struct guard *g) {
  uint32_t elements;
  LLVMValueRef index = LLVMGetOperand(g->access, LLVMIsAExtractElementInst(g->access) ? 1 : 2);
  lower_element(LLVMTypeOf(LLVMGetOperand(g->access, 0)), &elements);
  LLVMPositionBuilderBefore(g->b, g->access);
  LLVMSetCurrentDebugLocation2(g->b, LLVMInstructionGetDebugLoc(g->access));
  LLVMValueRef wide = LLVMBuildIntCast2(g->b, index, g->i64, true, "");
  g->bytes = 0;
  return trap_if(g, LLVMBuildICmp(g->b, LLVMIntUGE, wide, LLVMConstInt(g->i64, elements, false), ""), wide, NULL,
                 elements);
}

static int guard_block_copy(struct guard *g) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(g->access);
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  if (strncmp(name, "llvm.mem", 8) != 0 || !LLVMIsAConstantInt(LLVMGetOperand(g->access, 2)))
    return 0;
  g->bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(g->access, 2));
  g->stores = true;
  if (!g->bytes || guard_pointer(g, LLVMGetOperand(g->access, 0)))
    return g->bytes ? -1 : 0;
  g->stores = false;
  return strncmp(name, "llvm.memset", 11) == 0 ? 0 : guard_pointer(g, LLVMGetOperand(g->access, 1));
}

static int guard(struct guard *g) {
  LLVMValueRef i = g->access;
  g->stores = LLVMIsAStoreInst(i);
  if (LLVMIsALoadInst(i) || g->stores) {
    g->bytes = LLVMStoreSizeOfType(g->l->layout, LLVMTypeOf(g->stores ? LLVMGetOperand(i, 0) : i));
    return guard_pointer(g, LLVMGetOperand(i, g->stores ? 1 : 0));
  }
  return picks(i) ? guard_pick(g) : LLVMIsACallInst(i) ? guard_block_copy(g) : 0;
}

int lost_accesses_trap(struct lowering *l) {
  struct guard g = {.l = l,
                    .b = LLVMCreateBuilderInContext(l->context),
                    .i32 = LLVMInt32TypeInContext(l->context),
                    .i64 = LLVMInt64TypeInContext(l->context)};
  int status = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->kernel); b && !status; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !status; i = LLVMGetNextInstruction(i)) {
      g.access = i;
      status = guard(&g); /* what precedes the access may move to another block */
    }
  LLVMDisposeBuilder(g.b);
  return status;
}

/* Judgement. */

void lost_accesses_suspect(struct lowering *l, LLVMModuleRef from) {
  LLVMValueRef trap = LLVMGetNamedFunction(from, TRAP);
  for (LLVMUseRef use = trap ? LLVMGetFirstUse(trap) : NULL; use; use = LLVMGetNextUse(use))
    l->suspects[LLVMConstIntGetZExtValue(LLVMGetOperand(LLVMGetUser(use), 1))] = true;
}

void lost_accesses_find(struct lowering *l) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->kernel);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && l->suspects; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && number_of(l, i) != NONE)
      l->suspects[number_of(l, i)] = false;
  for (uint32_t n = 0; l->suspects && n <= l->numbered_variables; n++)
    l->program->needs_checking |= l->suspects[n];
}
