/* Builds the sources of undefined values: one for each part of each private variable. */
#include "tracegen/sanitize/shadow_sources.h"

#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/variables.h"
#include "tracegen/sanitize/shadow_stores.h"
#include "tracegen/sanitize/shadow_values.h"

#define MOST_PARTS 256 /* of a variable: more do not fit into registers, and memory has a shadow (shadow.h) */

struct source_builder {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMValueRef variable;
  LLVMValueRef behind; /* the instruction at which the variable begins */
  uint32_t first;      /* number of its first part */
  uint32_t parts;
};

bool shadow_source_is_plain(LLVMTypeRef type) {
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  if (elements > SHADOW_MOST_ELEMENTS)
    return false;
  switch (LLVMGetTypeKind(element)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return true;
  default:
    return false;
  }
}

/* Parts. */

typedef int each_part(struct source_builder *s, LLVMTypeRef type, uint64_t offset);

static int for_each_part(struct source_builder *s, LLVMTypeRef type, uint64_t offset, each_part *each) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && s->parts <= MOST_PARTS; i++)
      if (for_each_part(s, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(s->l->layout, type, i),
                        each))
        return -1;
    return 0;
  }
  if (kind != LLVMArrayTypeKind)
    return shadow_source_is_plain(type) ? each(s, type, offset) : 0;
  const uint64_t stride = LLVMABISizeOfType(s->l->layout, LLVMGetElementType(type));
  for (unsigned i = 0; i < LLVMGetArrayLength(type) && s->parts <= MOST_PARTS; i++)
    if (for_each_part(s, LLVMGetElementType(type), offset + i * stride, each))
      return -1;
  return 0;
}

static int count_part(struct source_builder *s, LLVMTypeRef type, uint64_t offset) {
  (void)type;
  (void)offset;
  s->parts++;
  return 0;
}

static int name_part(struct source_builder *s, LLVMTypeRef type, uint64_t offset) {
  struct kernel_variables *names = &s->l->program->undefined;
  const bool whole = shadow_source_is_plain(LLVMGetAllocatedType(s->variable));
  const uint64_t bytes = whole ? 0 : LLVMStoreSizeOfType(s->l->layout, type);
  if (kernel_variable_add(names, ir_name(s->variable), bytes, 1))
    return lower_no_memory(s->l);
  names->list[names->count - 1].offset = (uint32_t)offset;
  return 0;
}

/* Returns the type of a part's source: an integer, which the optimiser can split where unions or casts of pointers
 * read parts of it. */
static LLVMTypeRef source_type(const struct source_builder *s, LLVMTypeRef type) {
  uint32_t elements;
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(s->l->layout, type);
  const bool pointers = LLVMGetTypeKind(ir_element(type, &elements)) == LLVMPointerTypeKind;
  return pointers || bits % 8 ? type : LLVMIntTypeInContext(s->l->context, bits);
}

static int build_source(struct source_builder *s, LLVMTypeRef type, uint64_t offset) {
  const uint64_t part = s->first + s->parts++;
  LLVMValueRef value = marker_value(s->l, s->b, MARKER_SHADOW_SOURCE, source_type(s, type), &part, 1);
  if (!value)
    return lower_no_memory(s->l);
  if (type == LLVMGetAllocatedType(s->variable)) { /* so that it can become a value at once */
    LLVMBuildStore(s->b, LLVMBuildBitCast(s->b, value, type, ""), s->variable);
    return 0;
  }
  LLVMValueRef place = ir_offset(s->l, s->b, s->variable, offset);
  LLVMSetAlignment(LLVMBuildStore(s->b, value, place), 1);
  return 0;
}

/* Variables. */

static int build_sources_behind(struct source_builder *s, LLVMValueRef instruction) {
  s->parts = 0;
  LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(instruction));
  return for_each_part(s, LLVMGetAllocatedType(s->variable), 0, build_source);
}

static int build_sources_at_lifetimes(struct source_builder *s, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsABitCastInst(user) ? build_sources_at_lifetimes(s, user)
                                 : ir_calls(user, "llvm.lifetime.start") && build_sources_behind(s, user))
      return -1;
  }
  return 0;
}

static int build_sources_of(struct source_builder *s, LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  s->variable = variable;
  s->parts = 0;
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 ||
      for_each_part(s, LLVMGetAllocatedType(variable), 0, count_part) || !s->parts)
    return 0;
  if (s->parts > MOST_PARTS) {
    LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(variable));
    shadow_store_keep_variable(s->l, s->b, variable);
    return 0;
  }
  s->first = s->l->program->undefined.count;
  if (s->l->program->is_dry_run && for_each_part(s, LLVMGetAllocatedType(variable), 0, name_part))
    return -1;
  return build_sources_behind(s, variable) || build_sources_at_lifetimes(s, variable) ? -1 : 0;
}

bool shadow_source_is_large(struct lowering *l, LLVMValueRef variable) {
  struct source_builder s = {.l = l};
  for_each_part(&s, LLVMGetAllocatedType(variable), 0, count_part);
  return s.parts > MOST_PARTS;
}

int shadow_sources_make(struct lowering *l) {
  struct source_builder s = {.l = l, .b = LLVMCreateBuilderInContext(l->context)};
  int status = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && !status; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !ir_is_from_source(f))
      continue;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry), next; i && !status; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsAAllocaInst(i))
        status = build_sources_of(&s, i);
    }
  }
  LLVMDisposeBuilder(s.b);
  return status;
}

uint32_t shadow_source_of(LLVMValueRef value) {
  return marker_called(value) == MARKER_SHADOW_SOURCE ? 1 + (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0))
                                                      : 0;
}

void shadow_sources_remove(struct lowering *l) {
  for (LLVMValueRef function = LLVMGetFirstFunction(l->module); function; function = LLVMGetNextFunction(function)) {
    LLVMUseRef use;
    while (marker_of(function) == MARKER_SHADOW_SOURCE && (use = LLVMGetFirstUse(function))) {
      LLVMValueRef call = LLVMGetUser(use);
      LLVMTypeRef type = LLVMTypeOf(call);
      LLVMReplaceAllUsesWith(call,
                             LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetUndef(type) : LLVMConstNull(type));
      LLVMInstructionEraseFromParent(call);
    }
  }
}
