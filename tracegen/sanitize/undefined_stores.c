#include "tracegen/sanitize/undefined_stores.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/sanitize/undefined_starts.h"

#define STORED "reassemble.stored"
#define KEPT   "reassemble.kept"
#define LARGE  "reassemble.large"
#define BYTES  32 /* that one call tells of */

static LLVMValueRef declare(struct lowering *l, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  return function ? function : LLVMAddFunction(l->module, name, type);
}

static bool has_name(LLVMValueRef function, const char *name) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), name) == 0;
}

bool undefined_store_is_call(LLVMValueRef function) {
  return has_name(function, STORED) || has_name(function, KEPT);
}

bool undefined_store_may_matter(LLVMValueRef call) {
  if (!has_name(LLVMGetCalledValue(call), STORED))
    return false;
  LLVMValueRef bytes = LLVMGetOperand(call, 1);
  return !LLVMIsAConstant(bytes) || !LLVMIsNull(bytes);
}

/* Stores. */

bool undefined_store_is_private(LLVMValueRef instruction) {
  return LLVMIsAStoreInst(instruction) && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 1))) == 0;
}

/* One bit for each byte, the first in the lowest place: all its bits are undefined. */
static LLVMValueRef undefined_bytes(const struct companions *c, LLVMValueRef shadow, unsigned bytes) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(c->l->context), type = LLVMVectorType(byte, bytes);
  LLVMValueRef all =
      LLVMBuildICmp(c->b, LLVMIntEQ, LLVMBuildBitCast(c->b, shadow, type, ""), LLVMConstAllOnes(type), "");
  return LLVMBuildBitCast(c->b, all, LLVMIntTypeInContext(c->l->context, bytes), "");
}

void undefined_store_tell(const struct companions *c, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), place = LLVMGetOperand(store, 1);
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, LLVMTypeOf(value)), bytes = bits / 8;
  LLVMContextRef context = c->l->context;
  LLVMTypeRef types[] = {LLVMTypeOf(place), c->number, c->number};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, false);
  /* Arrays that are only unwritten are found without this version, in the one that is traced. */
  if (bits % 8 || !bytes || (undefined_start_of(value) && !c->l->program->is_dry_run))
    return;
  LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(store));
  LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(store));
  LLVMValueRef mask = undefined_bytes(c, companion_shadow(c, value), bytes);
  for (unsigned at = 0; at < bytes; at += BYTES) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), at, false);
    LLVMValueRef part = LLVMBuildLShr(c->b, mask, LLVMConstInt(LLVMTypeOf(mask), at, false), "");
    LLVMValueRef arguments[] = {LLVMBuildInBoundsGEP2(c->b, LLVMInt8TypeInContext(context), place, &offset, 1, ""),
                                LLVMBuildIntCast2(c->b, part, c->number, false, ""), companion_origin(c, value)};
    LLVMBuildCall2(c->b, type, declare(c->l, STORED, type), arguments, 3, "");
  }
}

/* Large variables. */

void undefined_store_keep(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable) {
  LLVMTypeRef pointer = LLVMTypeOf(variable);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), &pointer, 1, false);
  LLVMBuildCall2(b, type, declare(l, KEPT, type), &variable, 1, "");
}

/* Loads that the optimiser must not merge or move: it would drop the marks of what is read (undefined_loads.c). */
static void pin_loads(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user))
      LLVMSetVolatile(user, true);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user))
      pin_loads(user);
  }
}

void undefined_stores_pin(struct lowering *l) {
  LLVMValueRef function = LLVMGetNamedFunction(l->module, KEPT);
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use))
    pin_loads(LLVMGetOperand(LLVMGetUser(use), 0));
}

static unsigned large_kind(struct lowering *l) {
  return LLVMGetMDKindIDInContext(l->context, LARGE, (unsigned)strlen(LARGE));
}

void large_variable_mark(struct lowering *l, LLVMValueRef variable) {
  LLVMSetMetadata(variable, large_kind(l), LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0)));
  l->large_variables++;
}

void large_variables_find(struct lowering *l) {
  uint32_t left = 0;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->kernel);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && l->large_variables; i = LLVMGetNextInstruction(i))
    left += LLVMIsAAllocaInst(i) && LLVMGetMetadata(i, large_kind(l));
  l->program->needs_checking |= left < l->large_variables;
}
