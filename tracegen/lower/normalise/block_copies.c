/* Block copies (memcpy, memmove, memset), which clang makes of structure assignments, become loads and stores. */
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/normalise/normalise.h"

#define MAX_STRAIGHT_BYTES 4096 /* a longer block copy becomes a loop */

static LLVMValueRef place_at(struct lowering *l, LLVMBuilderRef b, LLVMValueRef pointer, uint64_t offset) {
  return offset ? ir_offset(l, b, pointer, offset) : pointer;
}

/* Returns the type of the widest access that fits: 16 bytes as four integers, then 8, 4, 2, 1. */
static LLVMTypeRef chunk_type(struct lowering *l, uint64_t left, uint64_t *bytes) {
  LLVMTypeRef word = LLVMInt32TypeInContext(l->context);
  if (left >= 16) {
    *bytes = 16;
    return LLVMVectorType(word, 4);
  }
  if (left >= 8) {
    *bytes = 8;
    return LLVMVectorType(word, 2);
  }
  *bytes = left >= 4 ? 4 : left >= 2 ? 2 : 1;
  return LLVMIntTypeInContext(l->context, (unsigned)*bytes * 8);
}

/* Returns a vector or integer whose every byte is `byte` (a constant). */
static LLVMValueRef repeated_byte(LLVMTypeRef type, uint64_t byte) {
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  LLVMValueRef values[4];
  for (uint32_t i = 0; i < elements; i++)
    values[i] = LLVMConstInt(element, byte * 0x0101010101010101u, false);
  return elements == 1 ? values[0] : LLVMConstVector(values, elements);
}

/* Builds straight code for bytes [start, end). All loads come before all stores, because memmove allows overlap. */
static void copy_straight(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, bool set, uint64_t start,
                          uint64_t end) {
  LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
  LLVMValueRef values[MAX_STRAIGHT_BYTES / 16 + 5];
  for (int pass = 0; pass < 2; pass++)
    for (uint64_t at = start, width, k = 0; at < end; at += width, k++) {
      LLVMTypeRef type = chunk_type(l, end - at, &width);
      if (pass == 0 && set)
        values[k] = repeated_byte(type, LLVMConstIntGetZExtValue(from) & 255);
      else if (pass == 0) {
        values[k] = LLVMBuildLoad2(b, type, place_at(l, b, from, at), "");
        LLVMSetAlignment(values[k], 1);
      } else
        LLVMSetAlignment(LLVMBuildStore(b, values[k], place_at(l, b, to, at)), 1);
    }
}

/* Builds one iteration of a loop: `width` bytes from byte offset `at`. */
static void copy_chunk(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, bool set, LLVMValueRef at,
                       uint64_t width) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(l->context), type = chunk_type(l, width, &width);
  LLVMValueRef value, to = LLVMBuildInBoundsGEP2(b, byte, LLVMGetOperand(call, 0), &at, 1, "");
  if (set)
    value = repeated_byte(type, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)) & 255);
  else {
    value = LLVMBuildLoad2(b, type, LLVMBuildInBoundsGEP2(b, byte, LLVMGetOperand(call, 1), &at, 1, ""), "");
    LLVMSetAlignment(value, 1);
  }
  LLVMSetAlignment(LLVMBuildStore(b, value, to), 1);
}

/* Builds a loop over the first `bytes` bytes, a multiple of `width`, between what precedes the call and what follows
 * it. */
static void copy_in_loop(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, bool set, LLVMValueRef bytes,
                         uint64_t width) {
  LLVMTypeRef type = LLVMTypeOf(bytes);
  LLVMBasicBlockRef rest = LLVMGetInstructionParent(call), front = ir_split_behind(l, call);
  LLVMBasicBlockRef body = LLVMInsertBasicBlockInContext(l->context, rest, "");
  LLVMValueRef zero = LLVMConstInt(type, 0, false), at, next;
  LLVMPositionBuilderAtEnd(b, front);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, bytes, zero, ""), body, rest);
  LLVMPositionBuilderAtEnd(b, body);
  at = LLVMBuildPhi(b, type, "");
  copy_chunk(l, b, call, set, at, width);
  next = LLVMBuildAdd(b, at, LLVMConstInt(type, width, false), "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, bytes, ""), body, rest);
  LLVMAddIncoming(at, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){front, body}, 2);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(rest));
}

static int expand_block_copy(struct lowering *l, LLVMValueRef call, bool set, bool overlap) {
  LLVMValueRef from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
  const bool known = LLVMIsAConstantInt(size);
  const uint64_t bytes = known ? LLVMConstIntGetZExtValue(size) : 0;
  if (overlap && (!known || bytes > MAX_STRAIGHT_BYTES))
    return lower_error(l, call, "a copy of %s bytes that may overlap is not supported; copy the elements in a loop",
                       known ? "more than 4096" : "a variable number of");
  if (set && !LLVMIsAConstantInt(from))
    return lower_error(l, call, "a block fill with a variable value is not supported; set the elements in a loop");
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  ir_build_before(b, call);
  if (!known)
    copy_in_loop(l, b, call, set, size, 1);
  else if (bytes <= MAX_STRAIGHT_BYTES)
    copy_straight(l, b, call, set, 0, bytes);
  else {
    copy_in_loop(l, b, call, set, LLVMConstInt(LLVMTypeOf(size), bytes / 16 * 16, false), 16);
    copy_straight(l, b, call, set, bytes / 16 * 16, bytes);
  }
  LLVMDisposeBuilder(b);
  LLVMInstructionEraseFromParent(call);
  return 0;
}

int block_copies_expand(struct lowering *l) {
  for (LLVMValueRef i = ir_first(l->kernel), next; i; i = next) {
    next = ir_next(i);
    const bool set = ir_calls(i, "llvm.memset."), overlap = ir_calls(i, "llvm.memmove.");
    if ((set || overlap || ir_calls(i, "llvm.memcpy.")) && expand_block_copy(l, i, set, overlap))
      return -1;
  }
  return 0;
}
