/* Finds the alignment of an access that has to be checked while the kernel runs, because the code does not guarantee
 * it.
 *
 * Scalars need multiples of their size, vectors of 16 bytes and more multiples of 16 (OpenCL asks for their size,
 * the host for 16), and accesses that clang knows to be packed, such as vload4, multiples of what clang says (OpenCL
 * C 1.2, sections 6.1.5 and 6.12.7). Buffers and variables begin at multiples of 16, and offsets into them are
 * nearly always multiples of the size, so that nothing has to be checked. */
#include "tracegen/lower/describe/alignment.h"

#include "tracegen/lower/ir/instructions.h"

#define BEGINNINGS  16 /* buffers and variables begin at multiples of this */
#define MOST_STEPS  64 /* of address arithmetic, casts, phis and selects: assumed */
#define MOST_NESTED 8  /* operations of an index: assumed */

struct steps {
  struct lowering *l;
  LLVMValueRef visited[MOST_STEPS];
  unsigned count;
  uint64_t known; /* power of two that every address found so far is a multiple of */
};

static uint64_t lesser(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Returns the largest power of two, up to BEGINNINGS, that divides the number. */
static uint64_t power_in(uint64_t number) {
  return lesser(BEGINNINGS, number ? number & -number : BEGINNINGS);
}

/* Returns a power of two that divides an index. Index arithmetic wraps around at powers of two, so what divides a
 * sum or product divides the result. */
static uint64_t power_in_index(LLVMValueRef index, unsigned nested) {
  if (LLVMIsAConstantInt(index))
    return power_in(LLVMConstIntGetZExtValue(index));
  if (!LLVMIsAInstruction(index) || nested == MOST_NESTED)
    return 1;
  LLVMValueRef first = LLVMGetNumOperands(index) ? LLVMGetOperand(index, 0) : NULL;
  LLVMValueRef second = LLVMGetNumOperands(index) > 1 ? LLVMGetOperand(index, 1) : NULL;
  switch (LLVMGetInstructionOpcode(index)) {
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
    return power_in_index(first, nested + 1);
  case LLVMShl:
    return LLVMIsAConstantInt(second) && LLVMConstIntGetZExtValue(second) < 4
               ? lesser(BEGINNINGS, power_in_index(first, nested + 1) << LLVMConstIntGetZExtValue(second))
               : 1;
  case LLVMMul:
    return lesser(BEGINNINGS, power_in_index(first, nested + 1) * power_in_index(second, nested + 1));
  case LLVMAnd: {
    const uint64_t a = power_in_index(first, nested + 1), b = power_in_index(second, nested + 1);
    return a > b ? a : b;
  }
  case LLVMAdd:
  case LLVMSub:
  case LLVMOr:
    return lesser(power_in_index(first, nested + 1), power_in_index(second, nested + 1));
  default:
    return 1;
  }
}

/* Returns a power of two that divides the offset which address arithmetic, an instruction or a constant, adds. */
static uint64_t power_in_distance(struct lowering *l, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  uint64_t known = BEGINNINGS;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      known = lesser(known, power_in(LLVMOffsetOfElement(l->layout, type, member)));
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    known = lesser(known, lesser(BEGINNINGS, power_in(LLVMABISizeOfType(l->layout, type)) * power_in_index(index, 0)));
  }
  return known;
}

static bool is_new(struct steps *s, LLVMValueRef pointer) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->visited[i] == pointer)
      return false;
  return true;
}

static void follow(struct steps *s, LLVMValueRef pointer) {
  if (LLVMIsUndef(pointer) || LLVMIsNull(pointer) || !is_new(s, pointer))
    return;
  if (s->count == MOST_STEPS) {
    s->known = 1;
    return;
  }
  s->visited[s->count++] = pointer;
  if (LLVMIsAArgument(pointer) || LLVMIsAGlobalVariable(pointer) || LLVMIsAAllocaInst(pointer))
    return;
  switch (ir_opcode(pointer)) {
  case LLVMGetElementPtr:
    s->known = lesser(s->known, power_in_distance(s->l, pointer));
    follow(s, LLVMGetOperand(pointer, 0));
    return;
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    follow(s, LLVMGetOperand(pointer, 0));
    return;
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
      follow(s, LLVMGetIncomingValue(pointer, i));
    return;
  case LLVMSelect:
    follow(s, LLVMGetOperand(pointer, 1));
    follow(s, LLVMGetOperand(pointer, 2));
    return;
  default:
    s->known = 1;
  }
}

static uint64_t needed(struct lowering *l, LLVMValueRef access, LLVMTypeRef type) {
  uint32_t elements;
  const bool atomic = LLVMIsAAtomicRMWInst(access) || LLVMIsAAtomicCmpXchgInst(access);
  if (!atomic && !LLVMIsALoadInst(access) && !LLVMIsAStoreInst(access))
    return 1;
  const uint64_t size = LLVMStoreSizeOfType(l->layout, ir_element(type, &elements));
  const uint64_t most = elements > 1 ? BEGINNINGS : lesser(BEGINNINGS, power_in(size));
  return lesser(most, atomic ? most : LLVMGetAlignment(access));
}

uint8_t alignment_to_check(struct lowering *l, LLVMValueRef access, LLVMValueRef pointer, LLVMTypeRef type) {
  struct steps s = {.l = l, .known = BEGINNINGS};
  const uint64_t alignment = needed(l, access, type);
  if (alignment > 1)
    follow(&s, pointer);
  return alignment > s.known ? (uint8_t)alignment : 1;
}
