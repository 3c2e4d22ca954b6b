/* Numbers variables, builds traps in front of accesses to them, and compares with what the optimiser left. */
#include "tracegen/sanitize/elided_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/variables.h"

#define NONE 0 /* number of no variable; numbers count from 1 */

#define FAR       (INT64_C(1) << 40) /* elements: more than any memory has */
#define FAR_DEPTH 4                  /* steps of arithmetic from such a number to an index */

/* A function that is called with the index of a vload or vstore, its bytes, and whether it stores. */
#define VECTOR_INDEX "reassemble.vector_index"

struct guard {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef i32, i64;
  LLVMValueRef access;
  uint64_t bytes; /* that are accessed */
  bool stores;
};

/* Returns whether an instruction selects a vector element by an index that is not constant. */
static bool picks(LLVMValueRef i) {
  return (LLVMIsAExtractElementInst(i) && !LLVMIsAConstant(LLVMGetOperand(i, 1))) ||
         (LLVMIsAInsertElementInst(i) && !LLVMIsAConstant(LLVMGetOperand(i, 2)));
}

/* Returns whether an instruction uses a null pointer to private memory. */
static bool takes_null(LLVMValueRef i) {
  if (!LLVMIsAStoreInst(i) && !LLVMIsAPHINode(i) && !LLVMIsASelectInst(i))
    return false;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, k));
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == IR_PRIVATE &&
        LLVMIsNull(LLVMGetOperand(i, k)))
      return true;
  }
  return false;
}

/* Returns whether a number of elements is so large that address arithmetic with it, modulo 2^64, may lead back to a
 * buffer. */
static bool is_far_number(LLVMValueRef value) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) != 64)
    return false;
  const int64_t number = LLVMConstIntGetSExtValue(value);
  return number >= FAR || number <= -FAR;
}

/* Returns whether an index is computed from such a number. */
static bool is_far(LLVMValueRef index, int depth) {
  if (is_far_number(index))
    return true;
  if (depth == 0 || !LLVMIsAInstruction(index))
    return false;
  const LLVMOpcode code = LLVMGetInstructionOpcode(index);
  return (code == LLVMAdd || code == LLVMSub || code == LLVMMul || code == LLVMShl) &&
         (is_far(LLVMGetOperand(index, 0), depth - 1) || is_far(LLVMGetOperand(index, 1), depth - 1));
}

static bool has_far_number(LLVMValueRef i) {
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
    if (is_far_number(LLVMGetOperand(i, k)))
      return true;
  return false;
}

/* Returns whether every access takes the whole variable or its beginning, so that none lies outside. */
static bool is_never_left(const struct lowering *l, LLVMValueRef variable) {
  const uint64_t size = LLVMStoreSizeOfType(l->layout, LLVMGetAllocatedType(variable));
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef i = LLVMGetUser(use);
    const bool stores = LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable && LLVMGetOperand(i, 0) != variable;
    if (ir_calls(i, "llvm.lifetime."))
      continue;
    if ((!stores && !LLVMIsALoadInst(i)) ||
        LLVMStoreSizeOfType(l->layout, LLVMTypeOf(stores ? LLVMGetOperand(i, 0) : i)) > size)
      return false;
  }
  return true;
}

int elided_accesses_number(struct lowering *l) {
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i)) {
      l->has_elidable_accesses |= picks(i) || takes_null(i) || has_far_number(i);
      if (LLVMIsAAllocaInst(i) && !is_never_left(l, i))
        variable_number(l, i, ++l->numbered_variables);
    }
  l->suspects = calloc(l->numbered_variables + 1, sizeof *l->suspects);
  return l->suspects ? 0 : lower_no_memory(l);
}

bool elided_accesses_possible(const struct lowering *l) {
  return l->has_elidable_accesses || l->numbered_variables > 0;
}

/* Traps. */

/* In a version for a dry run, adds what the trap's message needs to program->elided_accesses. */
static int note(struct guard *g, LLVMValueRef variable, uint64_t size, uint32_t *index) {
  struct kernel_variables *sites = &g->l->program->elided_accesses;
  *index = sites->count;
  if (!g->l->program->is_dry_run)
    return 0;
  if (kernel_variable_add(sites, variable ? ir_name(variable) : "", size, (uint32_t)g->bytes))
    return lower_no_memory(g->l);
  sites->list[*index].is_stored = g->stores;
  return 0;
}

/* Builds a trap in front of the access for the case `bad`. `offset` (64 bits) is for the message. */
static int trap_if(struct guard *g, LLVMValueRef bad, LLVMValueRef offset, LLVMValueRef variable, uint64_t size) {
  uint32_t site;
  if (LLVMIsAConstantInt(bad) && LLVMIsNull(bad))
    return 0;
  if (note(g, variable, size, &site))
    return -1;
  LLVMValueRef arguments[] = {LLVMConstInt(g->i32, site, false),
                              LLVMConstInt(g->i32, variable ? variable_number_of(g->l, variable) : NONE, false),
                              offset};
  ir_branch_when(g->l, g->b, bad, g->access);
  marker_trap(g->l, g->b, MARKER_ELIDED_ACCESS, arguments, 3);
  LLVMBuildUnreachable(g->b);
  return 0;
}

/* Builds the number of bytes that address arithmetic adds, at the builder's place. */
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

static int trap_if_far(struct guard *g, LLVMValueRef index) {
  LLVMValueRef moved = LLVMBuildAdd(g->b, index, LLVMConstInt(g->i64, FAR, false), "");
  LLVMValueRef bad = LLVMBuildICmp(g->b, LLVMIntUGT, moved, LLVMConstInt(g->i64, 2 * FAR, false), "");
  return trap_if(g, bad, index, NULL, KERNEL_FAR_ACCESS);
}

/* Guards an access by far indices: behind the optimiser only the wrapped address is left. */
static int guard_far(struct guard *g, LLVMValueRef pointer) {
  int status = 0;
  ir_build_before(g->b, g->access);
  for (; LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer); pointer = LLVMGetOperand(pointer, 0))
    for (unsigned i = 1; LLVMIsAGetElementPtrInst(pointer) && i < (unsigned)LLVMGetNumOperands(pointer); i++) {
      LLVMValueRef index = LLVMGetOperand(pointer, i);
      if (!status && is_far(index, FAR_DEPTH))
        status = trap_if_far(g, index);
    }
  return status;
}

/* Guards a vload or vstore by a far index, which it multiplies: nothing of the index may be left in the address. */
static int guard_vector_index(struct guard *g) {
  LLVMValueRef index = LLVMGetOperand(g->access, 0);
  if (!is_far(index, FAR_DEPTH))
    return 0;
  g->bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(g->access, 1));
  g->stores = LLVMConstIntGetZExtValue(LLVMGetOperand(g->access, 2));
  ir_build_before(g->b, g->access);
  return trap_if_far(g, index);
}

static int guard_pointer(struct guard *g, LLVMValueRef pointer) {
  LLVMValueRef offset = LLVMConstInt(g->i64, 0, false);
  if (ir_space(pointer) != IR_PRIVATE)
    return guard_far(g, pointer);
  ir_build_before(g->b, g->access);
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

/* Guards the selection of an element that the vector may not have. */
static int guard_pick(struct guard *g) {
  const uint32_t elements = ir_elements(LLVMGetOperand(g->access, 0));
  LLVMValueRef index = LLVMGetOperand(g->access, LLVMIsAExtractElementInst(g->access) ? 1 : 2);
  ir_build_before(g->b, g->access);
  LLVMValueRef wide = LLVMBuildIntCast2(g->b, index, g->i64, true, "");
  g->bytes = 0;
  return trap_if(g, LLVMBuildICmp(g->b, LLVMIntUGE, wide, LLVMConstInt(g->i64, elements, false), ""), wide, NULL,
                 elements);
}

static int guard_block_copy(struct guard *g) {
  if (!ir_calls(g->access, "llvm.mem") || !LLVMIsAConstantInt(LLVMGetOperand(g->access, 2)))
    return 0;
  g->bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(g->access, 2));
  g->stores = true;
  if (!g->bytes || guard_pointer(g, LLVMGetOperand(g->access, 0)))
    return g->bytes ? -1 : 0;
  g->stores = false;
  return ir_calls(g->access, "llvm.memset") ? 0 : guard_pointer(g, LLVMGetOperand(g->access, 1));
}

static int guard(struct guard *g) {
  LLVMValueRef i = g->access;
  g->stores = LLVMIsAStoreInst(i);
  if (LLVMIsALoadInst(i) || g->stores) {
    g->bytes = LLVMStoreSizeOfType(g->l->layout, LLVMTypeOf(g->stores ? LLVMGetOperand(i, 0) : i));
    return guard_pointer(g, LLVMGetOperand(i, g->stores ? 1 : 0));
  }
  if (ir_calls(i, VECTOR_INDEX))
    return guard_vector_index(g);
  return picks(i) ? guard_pick(g) : LLVMIsACallInst(i) ? guard_block_copy(g) : 0;
}

/* The parameter of a vload or vstore that is its index: it stands in front of the pointer. */
static LLVMValueRef index_parameter(LLVMValueRef function) {
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
    LLVMValueRef next = LLVMGetNextParam(p);
    if (next && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(p)) == 64 &&
        LLVMGetTypeKind(LLVMTypeOf(next)) == LLVMPointerTypeKind)
      return p;
  }
  return NULL;
}

static uint64_t vector_bytes(const struct lowering *l, LLVMValueRef function, const char *name) {
  const char *half = strstr(name, "_half");
  const unsigned long halves = half ? strtoul(half + strlen("_half"), NULL, 10) : 0;
  if (half)
    return 2 * (halves ? halves : 1);
  return LLVMStoreSizeOfType(l->layout, strncmp(name, "vstore", 6) == 0
                                            ? LLVMTypeOf(LLVMGetFirstParam(function))
                                            : LLVMGetReturnType(LLVMGlobalGetValueType(function)));
}

static void mark_index(struct lowering *l, LLVMBuilderRef b, LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  const bool stores = strncmp(name, "vstore", 6) == 0;
  LLVMValueRef index = index_parameter(function);
  if (LLVMIsDeclaration(function) || ir_is_from_source(function) || !index ||
      (!stores && strncmp(name, "vload", 5) != 0))
    return;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(l->context), types[] = {i64, i64, i64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), types, 3, false);
  LLVMValueRef arguments[] = {index, LLVMConstInt(i64, vector_bytes(l, function, name), false),
                              LLVMConstInt(i64, stores, false)};
  LLVMPositionBuilderBefore(b, ir_first(function));
  LLVMBuildCall2(b, type, ir_declare(l, VECTOR_INDEX, type), arguments, 3, "");
}

void elided_accesses_mark(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    mark_index(l, b, f);
  LLVMDisposeBuilder(b);
}

static void remove_marks(struct lowering *l) {
  LLVMValueRef mark = LLVMGetNamedFunction(l->module, VECTOR_INDEX);
  for (LLVMUseRef use = mark ? LLVMGetFirstUse(mark) : NULL; use; use = LLVMGetFirstUse(mark))
    LLVMInstructionEraseFromParent(LLVMGetUser(use));
  if (mark)
    LLVMDeleteFunction(mark);
}

int elided_accesses_trap(struct lowering *l) {
  struct guard g = {.l = l,
                    .b = LLVMCreateBuilderInContext(l->context),
                    .i32 = LLVMInt32TypeInContext(l->context),
                    .i64 = LLVMInt64TypeInContext(l->context)};
  int status = 0;
  for (LLVMValueRef i = ir_first(l->kernel); i && !status; i = ir_next(i)) {
    g.access = i;
    status = guard(&g); /* instructions in front of the access may move to another block */
  }
  remove_marks(l);
  LLVMDisposeBuilder(g.b);
  return status;
}

/* Comparison. */

void elided_accesses_suspect(struct lowering *l, LLVMModuleRef from) {
  LLVMValueRef trap = LLVMGetNamedFunction(from, marker_name(MARKER_ELIDED_ACCESS));
  for (LLVMUseRef use = trap ? LLVMGetFirstUse(trap) : NULL; use; use = LLVMGetNextUse(use))
    l->suspects[LLVMConstIntGetZExtValue(LLVMGetOperand(LLVMGetUser(use), 1))] = true;
}

int elided_accesses_find(struct lowering *l) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->kernel);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && l->suspects; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && variable_number_of(l, i) != NONE)
      l->suspects[variable_number_of(l, i)] = false;
  for (uint32_t n = 0; l->suspects && n <= l->numbered_variables; n++)
    l->program->needs_checking |= l->suspects[n];
  return 0;
}
