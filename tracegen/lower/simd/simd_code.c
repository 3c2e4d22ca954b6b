/* Writes the function that runs a SIMD group: the kernel's blocks in their order, with affine values as the first
 * lane's and varying ones as vectors. */
#include "tracegen/lower/simd/simd.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/source_line.h"

/* Where a block of the kernel begins and ends in the function: checks split it. */
struct simd_block {
  LLVMBasicBlockRef first, last;
};

struct writing {
  struct simd_code c;
  struct simd_block *blocks;
  struct value_map accesses, block_numbers;
  int32_t *strides;
};

static uint32_t number_of(const struct simd_code *c, LLVMValueRef instruction) {
  uint32_t number = 0;
  const bool found = value_map_get(&c->values->numbers, instruction, &number);
  assert(found);
  (void)found;
  return number;
}

/* Assumptions. */

static LLVMValueRef holds(const struct simd_code *c, LLVMValueRef value) {
  uint32_t number;
  return value_map_get(&c->values->numbers, value, &number) ? c->assumption_holds[number] : NULL;
}

/* Returns the first lane's value of the index that an extension extends; *ones becomes the largest number that it
 * can hold. */
static LLVMValueRef extended_index(const struct simd_code *c, LLVMValueRef extension, uint64_t *ones) {
  const bool masked = LLVMGetInstructionOpcode(extension) == LLVMAnd;
  LLVMValueRef index = simd_first(c, masked ? extension : LLVMGetOperand(extension, 0));
  const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
  *ones = masked      ? LLVMConstIntGetZExtValue(LLVMGetOperand(extension, 1))
          : bits < 64 ? (UINT64_C(1) << bits) - 1
                      : UINT64_MAX;
  return index;
}

static bool is_extension(LLVMOpcode opcode) {
  return opcode == LLVMSExt || opcode == LLVMZExt || opcode == LLVMAShr || opcode == LLVMLShr || opcode == LLVMAnd;
}

/* Builds the condition that the last lane's index is SIMD_LANES - 1 strides away from the first one's, without
 * wrapping around. */
static LLVMValueRef index_holds(struct simd_code *c, LLVMValueRef extension) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(extension);
  const bool is_signed = opcode == LLVMSExt || opcode == LLVMAShr;
  uint64_t ones;
  LLVMValueRef first = extended_index(c, extension, &ones);
  const int64_t way = simd_value_of(c->values, LLVMGetOperand(extension, 0)).stride * (SIMD_LANES - 1);
  const uint64_t bound = way > 0 ? (is_signed ? ones >> 1 : ones) - (uint64_t)way
                                 : ((is_signed ? (ones >> 1) + 1 : 0) - (uint64_t)way) & ones;
  const LLVMIntPredicate predicate =
      way > 0 ? (is_signed ? LLVMIntSLE : LLVMIntULE) : (is_signed ? LLVMIntSGE : LLVMIntUGE);
  return LLVMBuildICmp(c->n.b, predicate, first, LLVMConstInt(LLVMTypeOf(first), bound, false), "");
}

static LLVMValueRef assumption(struct simd_code *c, LLVMValueRef i) {
  LLVMValueRef all = NULL;
  if (is_extension(LLVMGetInstructionOpcode(i)))
    return index_holds(c, i);
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef one = holds(c, LLVMGetOperand(i, (unsigned)k));
    if (one)
      all = all ? LLVMBuildAnd(c->n.b, all, one, "") : one;
  }
  return all;
}

/* Accesses. */

/* Builds the check of an access as for one work-item (access_checks.c), for the lowest address of the group and a
 * limit that is lower by the distance to the highest. */
static LLVMValueRef in_bounds(struct simd_code *c, const struct kernel_access *access, LLVMValueRef address,
                              int64_t stride) {
  struct instrumenter *n = &c->n;
  const uint64_t span = (uint64_t)(stride < 0 ? -stride : stride) * (SIMD_LANES - 1);
  LLVMValueRef distance, limit;
  if (stride < 0)
    address = LLVMBuildSub(n->b, address, instrument_number(n, span), "");
  const bool known = instrument_bounds(n, access, NULL, address, &distance, &limit);
  assert(known);
  (void)known;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(n->b);
  LLVMPositionBuilderAtEnd(n->b, n->entry);
  LLVMValueRef fits = LLVMBuildICmp(n->b, LLVMIntUGT, limit, instrument_number(n, span), "");
  limit = LLVMBuildSelect(n->b, fits, LLVMBuildSub(n->b, limit, instrument_number(n, span), ""),
                          instrument_number(n, 0), "");
  LLVMPositionBuilderAtEnd(n->b, here);
  return LLVMBuildICmp(n->b, LLVMIntULT, distance, limit, "");
}

/* The emulator checks every lane. It returns only in work-groups whose undefined memory is checked (shadow.h). */
static void write_bad_access(struct simd_code *c, uint32_t access, LLVMValueRef pointer, LLVMValueRef address,
                             LLVMBasicBlockRef rest) {
  struct instrumenter *n = &c->n;
  LLVMValueRef what = instrument_number(n, access);
  if (holds(c, pointer)) {
    LLVMValueRef wraps = LLVMBuildZExt(n->b, LLVMBuildNot(n->b, holds(c, pointer), ""), n->i64, "");
    what = LLVMBuildOr(n->b, LLVMBuildShl(n->b, wraps, instrument_number(n, 32), ""), what, "");
  }
  instrument_call_value(n, (void (*)(void))emulation_check_simd, what, address);
  if (n->l->program->accesses[access].shadowed)
    LLVMBuildBr(n->b, rest);
  else
    LLVMBuildUnreachable(n->b);
}

static void check_access(struct simd_code *c, uint32_t id, LLVMValueRef pointer, LLVMValueRef address, int64_t stride) {
  struct instrumenter *n = &c->n;
  LLVMValueRef good = in_bounds(c, &n->l->program->accesses[id], address, stride);
  if (holds(c, pointer))
    good = LLVMBuildAnd(n->b, good, holds(c, pointer), "");
  LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  instrument_likely(n, LLVMBuildCondBr(n->b, good, rest, bad));
  LLVMPositionBuilderAtEnd(n->b, bad);
  write_bad_access(c, id, pointer, address, rest);
  LLVMPositionBuilderAtEnd(n->b, rest);
}

static LLVMValueRef load_lanes(struct simd_code *c, LLVMValueRef load, LLVMValueRef pointer, int64_t stride) {
  LLVMTypeRef type = LLVMTypeOf(load);
  const bool dense =
      stride == (int64_t)LLVMABISizeOfType(c->n.l->layout, type) && LLVMGetTypeKind(type) != LLVMPointerTypeKind;
  LLVMValueRef all = dense ? LLVMBuildLoad2(c->n.b, simd_type(type), pointer, "") : LLVMGetUndef(simd_type(type));
  if (dense)
    LLVMSetAlignment(all, LLVMGetAlignment(load));
  for (unsigned k = 0; !dense && k < SIMD_LANES; k++) {
    LLVMValueRef lane = simd_lane_number(c, k);
    LLVMValueRef one = LLVMBuildLoad2(c->n.b, type, simd_stride(c, pointer, stride, lane), "");
    LLVMSetAlignment(one, LLVMGetAlignment(load));
    all = LLVMBuildInsertElement(c->n.b, all, one, lane, "");
  }
  return all;
}

static void store_lanes(struct simd_code *c, LLVMValueRef store, LLVMValueRef pointer, int64_t stride) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (stride == (int64_t)LLVMABISizeOfType(c->n.l->layout, LLVMTypeOf(value))) {
    LLVMSetAlignment(LLVMBuildStore(c->n.b, simd_vector(c, value), pointer), LLVMGetAlignment(store));
    return;
  }
  for (unsigned k = 0; k < SIMD_LANES; k++) {
    LLVMValueRef lane = simd_lane_number(c, k);
    LLVMSetAlignment(LLVMBuildStore(c->n.b, simd_lane(c, value, lane), simd_stride(c, pointer, stride, lane)),
                     LLVMGetAlignment(store));
  }
}

static void write_access(struct writing *w, LLVMValueRef i, uint32_t id, uint32_t place) {
  struct simd_code *c = &w->c;
  struct instrumenter *n = &c->n;
  LLVMValueRef operand = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0), pointer = simd_first(c, operand);
  const int64_t stride = simd_value_of(c->values, operand).stride;
  LLVMValueRef address = LLVMBuildPtrToInt(n->b, pointer, n->i64, "");
  LLVMValueRef cursor = LLVMBuildLoad2(n->b, n->pointer, n->address_slot, "");
  LLVMBuildStore(n->b, LLVMBuildTrunc(n->b, address, n->i32, ""), instrument_at(n, cursor, 4 * (uint64_t)place));
  w->strides[n->l->program->accesses[id].op] = (int32_t)stride;
  check_access(c, id, operand, address, stride);
  if (LLVMIsAStoreInst(i))
    store_lanes(c, i, pointer, stride);
  else if (stride == 0)
    c->first[number_of(c, i)] = simd_copy(c, i);
  else
    simd_set_vector(c, i, load_lanes(c, i, pointer, stride));
}

/* Other instructions. */

static LLVMBasicBlockRef target(const struct writing *w, LLVMValueRef block) {
  uint32_t id = 0;
  const bool found = value_map_get(&w->block_numbers, LLVMValueAsBasicBlock(block), &id);
  assert(found);
  (void)found;
  return w->blocks[id].first;
}

/* A branch at which lanes may diverge: then the group ends, and has had no effect. */
static void write_divergence(struct writing *w, LLVMValueRef branch) {
  struct instrumenter *n = &w->c.n;
  LLVMBasicBlockRef converged = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMBasicBlockRef diverged = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMValueRef all, one_way = simd_all_or_none(&w->c, LLVMGetCondition(branch), &all);
  instrument_likely(n, LLVMBuildCondBr(n->b, one_way, converged, diverged));
  LLVMPositionBuilderAtEnd(n->b, diverged);
  LLVMBuildStore(n->b, LLVMConstInt(n->i32, 1, false),
                 instrument_at(n, n->context, offsetof(struct item_context, diverged)));
  LLVMBuildRetVoid(n->b);
  LLVMPositionBuilderAtEnd(n->b, converged);
  LLVMBuildCondBr(n->b, all, target(w, LLVMBasicBlockAsValue(LLVMGetSuccessor(branch, 0))),
                  target(w, LLVMBasicBlockAsValue(LLVMGetSuccessor(branch, 1))));
}

static void write_end(struct writing *w, LLVMValueRef i) {
  struct instrumenter *n = &w->c.n;
  if (LLVMIsAReturnInst(i)) {
    instrument_keep_cursors(n);
    LLVMBuildRetVoid(n->b);
    return;
  }
  if (LLVMIsABranchInst(i) && LLVMIsConditional(i) &&
      simd_value_of(w->c.values, LLVMGetCondition(i)).kind == SIMD_VARYING) {
    write_divergence(w, i);
    return;
  }
  if (LLVMIsAUnreachableInst(i))
    instrument_call(n, (void (*)(void))emulation_unreachable, source_line(n->l, i), NULL);
  LLVMValueRef copy = LLVMInstructionClone(i);
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    LLVMSetOperand(copy, (unsigned)k,
                   LLVMValueIsBasicBlock(operand) ? LLVMBasicBlockAsValue(target(w, operand))
                                                  : simd_first(&w->c, operand));
  }
  LLVMInsertIntoBuilder(n->b, copy);
}

/* Builds a call that the emulator provides. False: it is an ordinary function. */
static bool write_own_call(struct writing *w, LLVMValueRef call, uint32_t block) {
  struct instrumenter *n = &w->c.n;
  LLVMValueRef callee = LLVMGetCalledValue(call), value = NULL;
  const int row = builtin_query(callee);
  if (row >= 0)
    value = instrument_query(n, call, row);
  else if (marker_of(callee) == MARKER_ARGUMENT_PART)
    value = instrument_argument_part(n, call);
  else if (builtin_is_barrier(callee))
    instrument_call(n, (void (*)(void))emulation_barrier, block, NULL);
  else if (!builtin_is_fence(callee) && !simd_ignores(call))
    return false;
  w->c.first[number_of(&w->c, call)] = value;
  return true;
}

static void write_phi(struct simd_code *c, LLVMValueRef i) {
  if (simd_value_of(c->values, i).kind == SIMD_AFFINE)
    c->first[number_of(c, i)] = LLVMBuildPhi(c->n.b, LLVMTypeOf(i), "");
  else
    simd_set_vector(c, i, LLVMBuildPhi(c->n.b, simd_type(LLVMTypeOf(i)), ""));
}

static void write_instruction(struct writing *w, LLVMValueRef i, uint32_t block) {
  struct simd_code *c = &w->c;
  uint32_t access;
  if (LLVMIsATerminatorInst(i))
    write_end(w, i);
  else if (value_map_get(&w->accesses, i, &access))
    write_access(w, i, access, access - c->n.l->program->code.blocks[block].first_mem);
  else if (LLVMIsAPHINode(i))
    write_phi(c, i);
  else if (LLVMIsACallInst(i) && write_own_call(w, i, block))
    return;
  else if (simd_value_of(c->values, i).kind == SIMD_AFFINE) {
    const uint32_t number = number_of(c, i);
    c->first[number] = simd_copy(c, i);
    if (c->values->list[number].assumed)
      c->assumption_holds[number] = assumption(c, i);
  } else
    simd_set_vector(c, i, simd_widen(c, i));
}

static void record_block(struct instrumenter *n, uint32_t id) {
  LLVMValueRef cursor = LLVMBuildLoad2(n->b, n->pointer, n->block_slot, "");
  LLVMBuildStore(n->b, LLVMConstInt(n->i16, id, false), cursor);
  instrument_advance(n, n->block_slot, sizeof(uint16_t));
}

static void write_block(struct writing *w, uint32_t id) {
  struct instrumenter *n = &w->c.n;
  const uint32_t accesses = n->l->program->code.blocks[id].mem_count;
  LLVMPositionBuilderAtEnd(n->b, w->blocks[id].first);
  LLVMValueRef i = LLVMGetFirstInstruction(n->l->blocks[id]);
  for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    write_phi(&w->c, i);
  record_block(n, id);
  for (; i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsATerminatorInst(i) && accesses)
      instrument_advance(n, n->address_slot, 4 * (uint64_t)accesses);
    write_instruction(w, i, id);
  }
  w->blocks[id].last = LLVMGetInsertBlock(n->b);
}

/* Fills a phi when all blocks are there. */
static void fill_phi(struct writing *w, LLVMValueRef i) {
  struct simd_code *c = &w->c;
  const bool one = simd_value_of(c->values, i).kind == SIMD_AFFINE;
  LLVMValueRef phi = one ? simd_first(c, i) : simd_vector(c, i);
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
    LLVMValueRef from = LLVMGetIncomingValue(i, k), value = one ? simd_first(c, from) : simd_vector(c, from);
    uint32_t id = 0;
    value_map_get(&w->block_numbers, LLVMGetIncomingBlock(i, k), &id);
    LLVMAddIncoming(phi, &value, &w->blocks[id].last, 1);
  }
}

static void write_function(struct writing *w) {
  struct instrumenter *n = &w->c.n;
  const uint32_t count = n->l->program->code.block_count;
  for (uint32_t id = 0; id < count; id++)
    w->blocks[id].first = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  for (uint32_t id = 0; id < count; id++)
    write_block(w, id);
  for (uint32_t id = 0; id < count; id++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(n->l->blocks[id]); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
      fill_phi(w, i);
  LLVMPositionBuilderAtEnd(n->b, n->entry);
  LLVMBuildBr(n->b, w->blocks[0].first);
}

static bool take_memory(struct writing *w, struct lowering *l) {
  const struct kernel_program *program = l->program;
  const uint32_t values = w->c.values->count, blocks = program->code.block_count;
  bool whole = true;
  w->c.first = calloc(2 * (size_t)values + 1, sizeof *w->c.first);
  w->c.list = calloc((size_t)values + program->parameter_count + 1, sizeof *w->c.list);
  w->blocks = calloc(blocks, sizeof *w->blocks);
  if (!w->c.first || !w->c.list || !w->blocks)
    return false;
  w->c.assumption_holds = w->c.first + values;
  for (uint32_t id = 0; id < blocks; id++)
    whole &= value_map_put(&w->block_numbers, l->blocks[id], id);
  for (uint32_t k = 0; k < program->code.mem_count; k++)
    whole &= value_map_put(&w->accesses, l->access_instructions[k], k);
  return whole;
}

int simd_code_write(struct lowering *l, const struct simd_values *values, const char *name, int32_t *strides) {
  struct writing w = {.c = {.values = values}, .strides = strides};
  int status = -1;
  if (take_memory(&w, l)) {
    status = instrument_open(&w.c.n, l, name);
    if (!status) {
      write_function(&w);
      status = local_arrays_place(&w.c.n);
    }
    instrument_close(&w.c.n);
  } else
    lower_no_memory(l);
  value_map_clear(&w.c.vectors);
  value_map_clear(&w.accesses);
  value_map_clear(&w.block_numbers);
  free(w.c.first);
  free(w.c.list);
  free(w.blocks);
  return status;
}
