/* Loads and stores of whole structures and arrays become one access for each member, as a GPU would make them;
 * padding stays untouched. Clang copies most structures by bytes (block_copies.c); this pass takes the others. */
#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/normalise/normalise.h"

#define MAX_MEMBERS 1024 /* of one load or store; clang copies far smaller structures by bytes */

struct splitter {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMValueRef instruction; /* the load or store of the whole */
  LLVMValueRef pointer;
  uint32_t members;
};

static bool is_aggregate(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static unsigned member_count(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength(type);
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned i) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
}

static uint64_t member_offset(const struct lowering *l, LLVMTypeRef type, unsigned i) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMOffsetOfElement(l->layout, type, i)
                                                     : i * LLVMABISizeOfType(l->layout, LLVMGetElementType(type));
}

/* Returns the alignment of a place `offset` bytes behind one with this alignment: the largest power of two that
 * divides both. */
static unsigned alignment_at(unsigned alignment, uint64_t offset) {
  const uint64_t both = alignment | offset;
  return (unsigned)(both & -both);
}

/* Builds the access to one member, which is no aggregate; `stored` is NULL for a load. */
static LLVMValueRef access_member(struct splitter *s, LLVMTypeRef type, LLVMValueRef stored, uint64_t offset) {
  LLVMValueRef place = ir_offset(s->l, s->b, s->pointer, offset);
  LLVMSetValueName2(place, "member", strlen("member"));
  LLVMValueRef access = stored ? LLVMBuildStore(s->b, stored, place) : LLVMBuildLoad2(s->b, type, place, "");
  LLVMSetAlignment(access, alignment_at(LLVMGetAlignment(s->instruction), offset));
  LLVMSetVolatile(access, LLVMGetVolatile(s->instruction));
  s->members++;
  return access;
}

/* Builds the accesses to all members of a part at `offset`. Returns the loaded value; of a store, the result has no
 * meaning. */
static LLVMValueRef access_members(struct splitter *s, LLVMTypeRef type, LLVMValueRef stored, uint64_t offset) {
  if (s->members > MAX_MEMBERS || !is_aggregate(type))
    return s->members > MAX_MEMBERS ? LLVMGetUndef(type) : access_member(s, type, stored, offset);
  LLVMValueRef whole = LLVMGetUndef(type);
  const unsigned count = member_count(type);
  for (unsigned i = 0; i < count && s->members <= MAX_MEMBERS; i++) {
    LLVMValueRef part = stored ? LLVMBuildExtractValue(s->b, stored, i, "") : NULL;
    LLVMValueRef loaded = access_members(s, member_type(type, i), part, offset + member_offset(s->l, type, i));
    if (!stored)
      whole = LLVMBuildInsertValue(s->b, whole, loaded, i, "");
  }
  return whole;
}

static int split(struct splitter *s, LLVMValueRef instruction, LLVMValueRef stored) {
  LLVMTypeRef type = stored ? LLVMTypeOf(stored) : LLVMTypeOf(instruction);
  s->instruction = instruction;
  s->pointer = LLVMGetOperand(instruction, stored ? 1 : 0);
  s->members = 0;
  ir_build_before(s->b, instruction);
  LLVMValueRef whole = access_members(s, type, stored, 0);
  if (s->members > MAX_MEMBERS)
    return lower_error(s->l, instruction,
                       "a load or store of a structure of more than %d members is not supported; copy its parts",
                       MAX_MEMBERS);
  if (!stored)
    LLVMReplaceAllUsesWith(instruction, whole);
  LLVMInstructionEraseFromParent(instruction);
  return 0;
}

static int split_if_whole(struct splitter *s, LLVMValueRef i) {
  LLVMValueRef stored = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
  const bool whole = stored ? is_aggregate(LLVMTypeOf(stored)) : LLVMIsALoadInst(i) && is_aggregate(LLVMTypeOf(i));
  return whole ? split(s, i, stored) : 0;
}

int aggregates_split(struct lowering *l) {
  struct splitter s = {.l = l, .b = LLVMCreateBuilderInContext(l->context)};
  int status = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && !status; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f), next; i && !status; i = next) {
      next = ir_next(i);
      status = split_if_whole(&s, i);
    }
  LLVMDisposeBuilder(s.b);
  return status;
}
