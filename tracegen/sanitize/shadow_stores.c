/* Builds the markers that tell of undefined bytes in private memory, and keeps large variables there. */
#include "tracegen/sanitize/shadow_stores.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/ir/markers.h"
#include "tracegen/sanitize/shadow_sources.h"

#define LARGE "reassemble.large" /* metadata of a variable */
#define BYTES 32                 /* that one marker tells of */

/* Stores. */

bool shadow_store_is_private(LLVMValueRef instruction) {
  return LLVMIsAStoreInst(instruction) && ir_space(LLVMGetOperand(instruction, 1)) == IR_PRIVATE;
}

/* Builds an integer with one bit for each byte, the first byte lowest: whether all bits of the byte are undefined. */
static LLVMValueRef undefined_bytes(const struct shadow_builder *c, LLVMValueRef shadow, unsigned bytes) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(c->l->context), type = LLVMVectorType(byte, bytes);
  LLVMValueRef all =
      LLVMBuildICmp(c->b, LLVMIntEQ, LLVMBuildBitCast(c->b, shadow, type, ""), LLVMConstAllOnes(type), "");
  return LLVMBuildBitCast(c->b, all, LLVMIntTypeInContext(c->l->context, bytes), "");
}

void shadow_store_record(const struct shadow_builder *c, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), place = LLVMGetOperand(store, 1);
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(c->l->layout, LLVMTypeOf(value)), bytes = bits / 8;
  LLVMTypeRef types[] = {LLVMTypeOf(place), c->number, c->number};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->l->context), types, 3, false);
  /* the traced version finds arrays that are only unwritten */
  if (bits % 8 || !bytes || (shadow_source_of(value) && !c->l->program->is_dry_run))
    return;
  ir_build_behind(c->b, store);
  LLVMValueRef mask = undefined_bytes(c, shadow_of_value(c, value), bytes);
  for (unsigned at = 0; at < bytes; at += BYTES) {
    LLVMValueRef part = LLVMBuildLShr(c->b, mask, LLVMConstInt(LLVMTypeOf(mask), at, false), "");
    LLVMValueRef arguments[] = {ir_offset(c->l, c->b, place, at), LLVMBuildIntCast2(c->b, part, c->number, false, ""),
                                origin_of_value(c, value)};
    LLVMBuildCall2(c->b, type, ir_declare(c->l, marker_name(MARKER_SHADOW_STORE), type), arguments, 3, "");
  }
}

/* Large variables. */

void shadow_store_keep_variable(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable) {
  LLVMTypeRef pointer = LLVMTypeOf(variable);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), &pointer, 1, false);
  LLVMBuildCall2(b, type, ir_declare(l, marker_name(MARKER_KEPT_VARIABLE), type), &variable, 1, "");
}

/* Makes loads volatile: the optimiser would drop their marks (load_uses.c) when it merges or moves them. */
static void pin_loads(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user))
      LLVMSetVolatile(user, true);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user))
      pin_loads(user);
  }
}

void shadow_stores_pin_loads(struct lowering *l) {
  LLVMValueRef function = marker_function(l, MARKER_KEPT_VARIABLE);
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

int large_variables_find(struct lowering *l) {
  uint32_t left = 0;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->kernel);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && l->large_variables; i = LLVMGetNextInstruction(i))
    left += LLVMIsAAllocaInst(i) && LLVMGetMetadata(i, large_kind(l));
  l->program->needs_checking |= left < l->large_variables;
  return 0;
}
