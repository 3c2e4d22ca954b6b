/* Decides which kernels can run in SIMD groups (simd.h), and names what prevents the others. */
#include "tracegen/lower/simd/simd.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/builtins/print_calls.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"

struct fitting {
  const struct simd_values *v;
  bool *stored; /* by block: something may have been stored before its end */
};

static bool stores_in(const struct trace_code *code, const struct trace_block *block) {
  for (uint32_t i = 0; i < block->op_count; i++)
    if (code->ops[block->first_op + i].op_class == OP_STORE)
      return true;
  return false;
}

/* Marks each block that stores and all blocks that may follow it. False: out of memory. */
static bool find_stored(struct fitting *f) {
  const struct trace_code *code = &f->v->l->program->code;
  f->stored = calloc(code->block_count, sizeof *f->stored);
  for (bool changed = f->stored != NULL; changed;) {
    changed = false;
    for (uint32_t id = 0; id < code->block_count; id++) {
      const struct trace_block *block = &code->blocks[id];
      changed |= !f->stored[id] && stores_in(code, block);
      f->stored[id] |= stores_in(code, block);
      for (uint32_t k = 0; f->stored[id] && k < block->successor_count; k++) {
        bool *next = &f->stored[code->successors[block->first_successor + k]];
        changed |= !*next;
        *next = true;
      }
    }
  }
  return f->stored != NULL;
}

static bool is_plain(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

/* Operations that vectors have, too. */
static const LLVMOpcode widened[] = {
    LLVMAdd,     LLVMSub,  LLVMMul,  LLVMShl,    LLVMLShr,   LLVMAShr,   LLVMAnd,    LLVMOr,      LLVMXor,
    LLVMUDiv,    LLVMSDiv, LLVMURem, LLVMSRem,   LLVMFAdd,   LLVMFSub,   LLVMFMul,   LLVMFDiv,    LLVMFNeg,
    LLVMTrunc,   LLVMZExt, LLVMSExt, LLVMUIToFP, LLVMSIToFP, LLVMFPToUI, LLVMFPToSI, LLVMFPTrunc, LLVMFPExt,
    LLVMBitCast, LLVMICmp, LLVMFCmp, LLVMSelect, LLVMFreeze, LLVMPHI,    LLVMCall};

/* Returns whether the operation on vectors gives the same bits as on each lane. */
static bool can_be_widened(LLVMValueRef i) {
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (!LLVMIsAFunction(operand) && !LLVMIsABasicBlock(operand) && !is_plain(LLVMTypeOf(operand)))
      return false;
  }
  for (size_t k = 0; k < sizeof widened / sizeof *widened; k++)
    if (LLVMGetInstructionOpcode(i) == widened[k])
      return is_plain(LLVMTypeOf(i));
  return false;
}

/* Returns whether a division by this constant needs no check (division.c). */
static bool can_divide_by(LLVMValueRef divisor) {
  return simd_is_number(divisor) && !LLVMIsNull(divisor) && LLVMConstIntGetSExtValue(divisor) != -1;
}

/* Returns whether a call is one of a work-item function, a barrier, a fence, or a function from numbers to a number. */
static bool call_fits(LLVMValueRef i) {
  LLVMValueRef callee = ir_callee(i);
  char name[64];
  if (!callee || print_call_is(i))
    return false;
  if (marker_of(callee) != MARKER_NONE)
    return marker_of(callee) == MARKER_ARGUMENT_PART;
  if (builtin_query(callee) >= 0 || builtin_is_barrier(callee) || builtin_is_fence(callee))
    return true;
  builtin_name(callee, name, sizeof name);
  if (builtin_is_image_function(name) || builtin_stores_result(name))
    return false;
  return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind;
}

/* Debug information, lifetimes and assumptions are no operations. */
bool simd_ignores(LLVMValueRef i) {
  LLVMValueRef callee = ir_callee(i);
  return callee && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind && LLVMGetIntrinsicID(callee) != 0;
}

/* Returns whether lanes may diverge at a branch: the group can run again, one by one, as long as nothing is stored. */
static bool may_diverge(const struct fitting *f, LLVMValueRef i) {
  const struct simd_values *v = f->v;
  uint32_t id = 0;
  if (!LLVMIsABranchInst(i) || !LLVMIsConditional(i) || v->l->program->has_barrier)
    return false;
  while (v->l->blocks[id] != LLVMGetInstructionParent(i))
    id++;
  return !f->stored[id] && simd_value_of(v, LLVMGetCondition(i)).kind == SIMD_VARYING;
}

static bool instruction_fits(const struct fitting *f, LLVMValueRef i) {
  const struct simd_values *v = f->v;
  const struct simd_value value = simd_value_of(v, i);
  if (LLVMIsAAllocaInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
      (ir_is_division(i) && !can_divide_by(LLVMGetOperand(i, 1))))
    return false;
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || simd_ignores(i))
    return true; /* access_fits decides */
  if (LLVMIsACallInst(i) && !call_fits(i))
    return false;
  if (may_diverge(f, i))
    return true;
  if (LLVMIsATerminatorInst(i)) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      const struct simd_value operand = simd_value_of(v, LLVMGetOperand(i, (unsigned)k));
      if (operand.kind != SIMD_AFFINE || operand.stride != 0)
        return false;
    }
    return true;
  }
  return value.kind == SIMD_AFFINE || (value.kind == SIMD_VARYING && can_be_widened(i));
}

/* Returns whether the accesses of all lanes, in order of lanes, have the effect of the work-items one after the other.
 * Two lanes that store to one place are a race, but the result must not depend on the group. Possibly misaligned
 * accesses are not checked by a group's code. */
static bool access_fits(const struct simd_values *v, uint32_t index) {
  const struct kernel_access *access = &v->l->program->accesses[index];
  LLVMValueRef i = v->l->access_instructions[index];
  if (!i || access->root.kind == ROOT_UNKNOWN || access->root.kind == ROOT_PRIVATE || LLVMIsACallInst(i) ||
      access->alignment > 1)
    return false;
  const bool store = LLVMIsAStoreInst(i);
  if (!store && !LLVMIsALoadInst(i))
    return false;
  const struct simd_value address = simd_value_of(v, LLVMGetOperand(i, store));
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  if (address.kind != SIMD_AFFINE || LLVMGetVolatile(i))
    return false;
  const int64_t distance = address.stride < 0 ? -address.stride : address.stride;
  return (address.stride == 0 && !store) ||
         (is_plain(type) && LLVMGetTypeKind(type) != LLVMVoidTypeKind &&
          LLVMABISizeOfType(v->l->layout, type) == access->bytes && (distance >= access->bytes || !store));
}

/* With -cl-fast-relaxed-math the code generator may compute vectors differently from scalars. */
static bool arithmetic_is_exact(const struct kernel_program *program) {
  static const char *const loose[] = {" fast ", " reassoc ", " nnan ",     " ninf ",
                                      " nsz ",  " arcp ",    " contract ", " afn "};
  for (uint32_t i = 0; i < program->code.op_count; i++)
    for (size_t k = 0; program->ir && program->ir[i] && k < sizeof loose / sizeof *loose; k++)
      if (strstr(program->ir[i], loose[k]))
        return false;
  return program->ir != NULL;
}

/* Returns the first instruction that prevents SIMD groups; the kernel where no single one does; NULL: nothing does. */
static LLVMValueRef obstacle(const struct fitting *f) {
  const struct simd_values *v = f->v;
  const struct kernel_program *program = v->l->program;
  if (!arithmetic_is_exact(program) || program->privates.count > 0 || program->uses_collectives ||
      program->uses_sub_groups)
    return v->l->kernel;
  for (uint32_t id = 0; id < program->code.block_count; id++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[id]); i; i = LLVMGetNextInstruction(i))
      if (!instruction_fits(f, i))
        return i;
  for (uint32_t k = 0; k < program->code.mem_count; k++)
    if (!access_fits(v, k))
      return v->l->access_instructions[k] ? v->l->access_instructions[k] : v->l->kernel;
  return NULL;
}

int simd_is_eligible(const struct simd_values *v, bool *fits) {
  struct fitting f = {.v = v};
  if (!find_stored(&f))
    return lower_no_memory(v->l);
  LLVMValueRef found = obstacle(&f);
  if (found)
    lower_dump(found, "simd-obstacle");
  *fits = !found;
  free(f.stored);
  return 0;
}
