/* Checks that an access stays in the buffer, array or constant that its address was made from. The code table says
 * what that is (pointer_root.c); where it is unknown, generated code asks the emulator each time. */
#include <stdint.h>

#include "tracegen/lower/instrument/instrumenter.h"
#include "tracegen/lower/ir/emulator_calls.h"

/* Returns whether the check of an access fails on purpose in work-groups whose undefined memory is checked
 * (shadow.h). */
static bool is_checked(const struct instrumenter *n, const struct kernel_access *access) {
  return n->l->program->checks_reads && access->shadowed;
}

/* Builds the last address of a buffer that an access fits in, plus one, relative to its start; 0: it fits nowhere. */
static LLVMValueRef argument_limit(struct instrumenter *n, const struct kernel_access *access) {
  LLVMValueRef bytes = n->argument_bytes[access->root.index], size = instrument_number(n, access->bytes);
  LLVMValueRef fits = LLVMBuildICmp(n->b, LLVMIntUGE, bytes, size, "");
  LLVMValueRef room = LLVMBuildAdd(n->b, LLVMBuildSub(n->b, bytes, size, ""), instrument_number(n, 1), "");
  return LLVMBuildSelect(n->b, fits, room, instrument_number(n, 0), "");
}

/* Returns the variable that an access has to stay in; *base becomes its address. */
static const struct kernel_variable *accessed_variable(struct instrumenter *n, const struct pointer_root *root,
                                                       LLVMValueRef *base) {
  const struct kernel_program *program = n->l->program;
  const struct kernel_variable *v;
  if (root->kind == ROOT_LOCAL) {
    *base = LLVMBuildPtrToInt(n->b, n->local_base[root->index], n->i64, "");
    return &program->locals.list[root->index];
  }
  if (root->kind == ROOT_CONSTANT) {
    v = &program->constants.list[root->index];
    *base = instrument_number(n, (uintptr_t)n->l->arena->base + v->offset);
    return v;
  }
  v = &program->privates.list[root->index];
  LLVMValueRef memory = LLVMBuildPtrToInt(n->b, n->private_base, n->i64, "");
  *base = LLVMBuildAdd(n->b, memory, instrument_number(n, v->offset), "");
  return v;
}

/* Builds in the entry block what does not depend on the iteration of a loop. */
bool instrument_bounds(struct instrumenter *n, const struct kernel_access *access, LLVMValueRef instruction,
                       LLVMValueRef address, LLVMValueRef *distance, LLVMValueRef *limit) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(n->b);
  if (access->root.kind == ROOT_UNKNOWN)
    return false;
  if (access->root.kind == ROOT_ARGUMENT) {
    LLVMPositionBuilderAtEnd(n->b, n->entry);
    *limit = argument_limit(n, access);
    LLVMPositionBuilder(n->b, here, instruction);
    *distance = LLVMBuildSub(n->b, address, n->argument_base[access->root.index], "");
    return true;
  }
  LLVMValueRef base;
  const struct kernel_variable *v = accessed_variable(n, &access->root, &base);
  *distance = LLVMBuildSub(n->b, address, base, "");
  *limit = instrument_number(n, v->bytes >= access->bytes ? v->bytes - access->bytes + 1 : 0);
  if (access->root.kind != ROOT_CONSTANT && is_checked(n, access)) {
    LLVMPositionBuilderAtEnd(n->b, n->entry);
    *limit = LLVMBuildAnd(n->b, *limit, n->bounds, "");
    LLVMPositionBuilder(n->b, here, instruction);
  }
  return true;
}

/* Branch weights make the code generator keep registers for the likely target. */
void instrument_likely(struct instrumenter *n, LLVMValueRef branch) {
  LLVMMetadataRef parts[] = {LLVMMDStringInContext2(n->l->context, "branch_weights", 14),
                             LLVMValueAsMetadata(LLVMConstInt(n->i32, 1u << 20, false)),
                             LLVMValueAsMetadata(LLVMConstInt(n->i32, 1, false))};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(n->l->context, "prof", 4),
                  LLVMMetadataAsValue(n->l->context, LLVMMDNodeInContext2(n->l->context, parts, 3)));
}

static void add_bad_access(struct instrumenter *n, LLVMBasicBlockRef block, uint32_t access, LLVMValueRef address,
                           LLVMBasicBlockRef rest) {
  LLVMPositionBuilderAtEnd(n->b, block);
  if (is_checked(n, &n->l->program->accesses[access])) {
    instrument_call(n, (void (*)(void))emulation_checked_access, access, address);
    LLVMBuildBr(n->b, rest);
    return;
  }
  instrument_call(n, (void (*)(void))emulation_bad_access, access, address);
  LLVMBuildUnreachable(n->b);
}

/* Includes the alignment in the comparison: address bits that have to be zero make the distance larger than any
 * buffer. */
static LLVMValueRef with_alignment(struct instrumenter *n, uint32_t access, LLVMValueRef address,
                                   LLVMValueRef distance) {
  const uint64_t alignment = n->l->program->accesses[access].alignment;
  if (alignment == 1)
    return distance;
  LLVMValueRef places = instrument_number(n, 64 - (uint64_t)__builtin_ctzll(alignment));
  return LLVMBuildOr(n->b, distance, LLVMBuildShl(n->b, address, places, ""), "");
}

/* Returns whether the access is a load that gives zeros where it lies outside of its buffer. */
static bool may_lie_outside(const struct instrumenter *n, const struct kernel_access *access) {
  return n->l->purpose.reads_zero && n->l->program->code.ops[access->op].op_class == OP_LOAD &&
         (access->root.space == SPACE_GLOBAL || access->root.space == SPACE_CONSTANT);
}

/* Builds the pointer that the emulator gives for the load. */
static LLVMValueRef readable_pointer(struct instrumenter *n, uint32_t access, LLVMValueRef address,
                                     LLVMTypeRef pointer) {
  LLVMTypeRef types[] = {n->pointer, n->i64, n->i64};
  LLVMValueRef values[] = {n->context, instrument_number(n, access), address};
  LLVMTypeRef type = LLVMFunctionType(n->i64, types, 3, false);
  LLVMValueRef function = emulator_call_declare(n->l, (void (*)(void))emulation_readable, type);
  LLVMValueRef place = LLVMBuildCall2(n->b, type, function, values, 3, "");
  return LLVMBuildIntToPtr(n->b, place, pointer, "");
}

/* Makes the load behind the check take `other` when it comes from the block `bad`, where its own pointer is bad. */
static void load_other(struct instrumenter *n, LLVMValueRef load, LLVMBasicBlockRef front, LLVMBasicBlockRef bad,
                       LLVMValueRef other) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0), values[] = {pointer, other};
  LLVMBasicBlockRef blocks[] = {front, bad}, rest = LLVMGetInstructionParent(load);
  LLVMPositionBuilderBefore(n->b, LLVMGetFirstInstruction(rest));
  LLVMValueRef phi = LLVMBuildPhi(n->b, LLVMTypeOf(pointer), "");
  LLVMAddIncoming(phi, values, blocks, 2);
  LLVMSetOperand(load, 0, phi);
}

/* The block is split in front of the access. */
void instrument_check_access(struct instrumenter *n, uint32_t access_id, LLVMValueRef address) {
  const struct kernel_access *access = &n->l->program->accesses[access_id];
  LLVMValueRef instruction = n->l->access_instructions[access_id], distance, limit;
  if (!instrument_bounds(n, access, instruction, address, &distance, &limit)) {
    if (may_lie_outside(n, access))
      LLVMSetOperand(instruction, 0,
                     readable_pointer(n, access_id, address, LLVMTypeOf(LLVMGetOperand(instruction, 0))));
    else
      instrument_call(n, (void (*)(void))emulation_check_access, access_id, address);
    return;
  }
  distance = with_alignment(n, access_id, address, distance);
  LLVMValueRef good = LLVMBuildICmp(n->b, LLVMIntULT, distance, limit, "");
  if (!LLVMIsAInstruction(good)) /* a constant address: the block is split behind an instruction in every case */
    good = LLVMBuildFreeze(n->b, good, "");
  LLVMBasicBlockRef front = ir_split_behind(n->l, good), rest = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMPositionBuilderAtEnd(n->b, front);
  instrument_likely(n, LLVMBuildCondBr(n->b, good, rest, bad));
  if (!may_lie_outside(n, access)) {
    add_bad_access(n, bad, access_id, address, rest);
    return;
  }
  LLVMPositionBuilderAtEnd(n->b, bad);
  LLVMValueRef other = readable_pointer(n, access_id, address, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  LLVMBuildBr(n->b, rest);
  load_other(n, instruction, front, bad, other);
}
