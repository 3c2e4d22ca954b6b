/* Between optimisation and the code table: block copies become loads and stores, blocks end behind barriers, variables
 * get their places. */
#include "tracegen/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/sanitize/elided_accesses.h"
#include "tracegen/lower/describe/source_line.h"

#define MAX_STRAIGHT_BYTES 4096 /* a longer block copy becomes a loop */
#define VARIABLE_ALIGNMENT 16
/* Far above what GPUs have; they bound what one launch can ask of the host. */
#define MOST_PRIVATE_VARIABLE (1u << 20)
#define MOST_PRIVATE          (1u << 24)
#define MOST_LOCAL            (1u << 24)

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

LLVMBasicBlockRef split_block_behind(struct lowering *l, LLVMValueRef instruction) {
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

static bool calls_barrier(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) && builtin_is_barrier(callee);
}

/* The first barrier of the block that something other than a plain branch follows. */
static LLVMValueRef barrier_to_split(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (!calls_barrier(i))
      continue;
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (!LLVMIsABranchInst(next) || LLVMIsConditional(next))
      return i;
  }
  return NULL;
}

static void split_behind_barriers(struct lowering *l) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(l->kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef barrier; (barrier = barrier_to_split(block));) {
      LLVMPositionBuilderAtEnd(builder, split_block_behind(l, barrier));
      LLVMBuildBr(builder, block);
    }
  LLVMDisposeBuilder(builder);
}

/* Block copies. */

static LLVMValueRef offset_pointer(struct lowering *l, LLVMBuilderRef b, LLVMValueRef pointer, uint64_t offset) {
  if (offset == 0)
    return pointer;
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(l->context), offset, false);
  return LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(l->context), pointer, &index, 1, "");
}

/* The widest access that fits: 16 bytes as four integers, then 8, 4, 2, 1. */
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

/* A vector or integer whose every byte is `byte` (a constant). */
static LLVMValueRef repeated_byte(LLVMTypeRef type, uint64_t byte) {
  uint32_t elements;
  LLVMTypeRef element = lower_element(type, &elements);
  LLVMValueRef values[4];
  for (uint32_t i = 0; i < elements; i++)
    values[i] = LLVMConstInt(element, byte * 0x0101010101010101u, false);
  return elements == 1 ? values[0] : LLVMConstVector(values, elements);
}

/* Straight code for bytes [at, end); loads come before all stores: memmove allows overlap. */
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
        values[k] = LLVMBuildLoad2(b, type, offset_pointer(l, b, from, at), "");
        LLVMSetAlignment(values[k], 1);
      } else
        LLVMSetAlignment(LLVMBuildStore(b, values[k], offset_pointer(l, b, to, at)), 1);
    }
}

/* One iteration of a loop: `width` bytes from byte offset `at`. */
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

/* A loop over the first `bytes` bytes, a multiple of `width`, between what precedes the call and what follows it. */
static void copy_in_loop(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, bool set, LLVMValueRef bytes,
                         uint64_t width) {
  LLVMTypeRef type = LLVMTypeOf(bytes);
  LLVMBasicBlockRef rest = LLVMGetInstructionParent(call), front = split_block_behind(l, call);
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
  LLVMPositionBuilderBefore(b, call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
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

static int expand_block_copies(struct lowering *l) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->kernel); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      if (!callee || !LLVMIsAFunction(callee))
        continue;
      size_t length;
      const char *name = LLVMGetValueName2(callee, &length);
      const bool set = strncmp(name, "llvm.memset.", 12) == 0;
      const bool overlap = strncmp(name, "llvm.memmove.", 13) == 0;
      if ((set || overlap || strncmp(name, "llvm.memcpy.", 12) == 0) && expand_block_copy(l, i, set, overlap))
        return -1;
    }
  return 0;
}

/* Variables. */

static uint32_t align_up(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static int add_variable(struct lowering *l, struct kernel_variables *to, LLVMValueRef variable, const char *name,
                        enum root_kind kind, uint64_t bytes, uint32_t alignment) {
  pointer_root_remember(l, variable, kind, to->count);
  if (kernel_variable_add(to, name, bytes, alignment < VARIABLE_ALIGNMENT ? VARIABLE_ALIGNMENT : alignment))
    return error_set(l->error, ERROR_WORK, "out of memory");
  return 0;
}

/* The first line that uses the variable; 0: unknown. (Calls only mark its lifetime.) */
static unsigned line_of_use(struct lowering *l, LLVMValueRef variable) {
  unsigned first = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || LLVMIsACallInst(user))
      continue;
    unsigned line = source_line(l, user);
    if (!line && LLVMIsAGetElementPtrInst(user))
      line = line_of_use(l, user);
    if (line && (!first || line < first))
      first = line;
  }
  return first;
}

/* As the source calls it: inlining and the splitting of structures put suffixes behind a dot. */
static void private_name(struct lowering *l, LLVMValueRef variable, char *name, size_t size) {
  size_t length;
  const char *full = LLVMGetValueName2(variable, &length);
  if (!length)
    full = lost_access_name(l, variable);
  const int stem = (int)strcspn(full, ".");
  snprintf(name, size, "%.*s", stem ? stem : (int)size, stem ? full : "(private array)");
}

static int place_private(struct lowering *l, LLVMValueRef variable, uint64_t bytes, uint32_t *used) {
  char name[64];
  private_name(l, variable, name, sizeof name);
  const unsigned line = line_of_use(l, variable);
  if (bytes > MOST_PRIVATE_VARIABLE || *used + bytes > MOST_PRIVATE)
    return error_at(l->error, ERROR_WORK, l->program->source, line, 0, NULL,
                    "kernel %s: private variable \"%s\" takes %llu bytes, and those before it %u; a work-item may have "
                    "%u bytes in one variable and %u in all",
                    l->program->name, name, (unsigned long long)bytes, *used, MOST_PRIVATE_VARIABLE, MOST_PRIVATE);
  if (add_variable(l, &l->program->privates, variable, name, ROOT_PRIVATE, bytes, LLVMGetAlignment(variable)))
    return -1;
  struct kernel_variable *v = &l->program->privates.list[l->program->privates.count - 1];
  v->line = line;
  v->offset = align_up(*used, v->alignment);
  *used = v->offset + (uint32_t)v->bytes;
  return 0;
}

static int place_privates(struct lowering *l) {
  uint32_t used = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->kernel); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsAAllocaInst(i))
        continue;
      const uint64_t bytes = LLVMABISizeOfType(l->layout, LLVMGetAllocatedType(i));
      LLVMValueRef count = LLVMGetOperand(i, 0);
      if (!LLVMIsAConstantInt(count) || b != LLVMGetEntryBasicBlock(l->kernel))
        return lower_error(l, i, "arrays of variable length are not supported (OpenCL C, 6.9.d)");
      const uint64_t elements = LLVMConstIntGetZExtValue(count);
      const uint64_t total = bytes && elements > UINT64_MAX / bytes ? UINT64_MAX : bytes * elements;
      if (place_private(l, i, total < UINT32_MAX ? total : UINT32_MAX, &used))
        return -1;
    }
  l->program->private_bytes = align_up(used, PRIVATE_ALIGNMENT);
  return 0;
}

/* True when an instruction of the kernel reaches `value` (directly or through constant expressions). */
static bool used_by_kernel(struct lowering *l, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == l->kernel
                                 : LLVMIsAConstant(user) && used_by_kernel(l, user))
      return true;
  }
  return false;
}

static int place_global(struct lowering *l, LLVMValueRef g) {
  struct kernel_program *program = l->program;
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
  const uint64_t bytes = LLVMABISizeOfType(l->layout, LLVMGlobalGetValueType(g));
  size_t length;
  if (space == 3) {
    if (bytes > MOST_LOCAL || program->local_bytes + bytes > MOST_LOCAL)
      return error_at(
          l->error, ERROR_WORK, program->source, program->line, 0, NULL,
          "kernel %s: local variable \"%s\" takes %llu bytes, and those before it %u; a work-group may have "
          "%u bytes",
          program->name, LLVMGetValueName2(g, &length), (unsigned long long)bytes, program->local_bytes, MOST_LOCAL);
    if (add_variable(l, &program->locals, g, LLVMGetValueName2(g, &length), ROOT_LOCAL, bytes, LLVMGetAlignment(g)))
      return -1;
    struct kernel_variable *v = &program->locals.list[program->locals.count - 1];
    v->offset = align_up(program->local_bytes, v->alignment);
    program->local_bytes = v->offset + (uint32_t)bytes;
    return 0;
  }
  if (!LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g))
    return lower_error(l, NULL, "program-scope variable %s is not supported; expected a __constant one",
                       LLVMGetValueName2(g, &length));
  if (add_variable(l, &program->constants, g, LLVMGetValueName2(g, &length), ROOT_CONSTANT, bytes, ARENA_PAGE))
    return -1;
  struct kernel_variable *v = &program->constants.list[program->constants.count - 1];
  for (uint32_t i = 0; l->original && i < l->original->constants.count; i++)
    if (strcmp(l->original->constants.list[i].name, v->name) == 0) {
      v->offset = l->original->constants.list[i].offset;
      return 0;
    }
  if (arena_place(l->arena, v->name, bytes, &v->offset, l->error))
    return -1;
  l->arena->regions[l->arena->region_count - 1].is_constant = true;
  return 0;
}

static int place_globals(struct lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
    if (used_by_kernel(l, g) && place_global(l, g))
      return -1;
  return 0;
}

int lower_memory(struct lowering *l) {
  if (expand_block_copies(l))
    return -1;
  split_behind_barriers(l);
  if (block_order(l))
    return error_set(l->error, ERROR_WORK, "out of memory");
  return place_privates(l) || place_globals(l) ? -1 : 0;
}
