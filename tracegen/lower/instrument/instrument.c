/* Adds recording and checks to the optimised kernel.
 *
 * The blocks move to a new function `void run(struct item_context *, const struct kernel_argument *)`, because the
 * kernel's own attributes ("only reads memory") do not hold for it. Each block stores its id, each memory operation
 * the low half of its address. Without recording, ids overwrite each other and serve messages alone. Both cursors
 * lie in stack slots, which jit_polish turns into registers. Buffers are not checked for room: a page fault behind
 * their end makes more of them usable (recording.c). */
#include "tracegen/lower/instrument/instrument.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/instrument/instrumenter.h"
#include "tracegen/lower/instrument/item_loop.h"
#include "tracegen/lower/ir/emulator_calls.h"
#include "tracegen/lower/ir/source_line.h"
#include "tracegen/lower/ir/variables.h"

LLVMValueRef instrument_number(const struct instrumenter *n, uint64_t value) {
  return LLVMConstInt(n->i64, value, false);
}

LLVMValueRef instrument_at(struct instrumenter *n, LLVMValueRef pointer, uint64_t offset) {
  return ir_offset(n->l, n->b, pointer, offset);
}

LLVMValueRef instrument_load_at(struct instrumenter *n, LLVMTypeRef type, LLVMValueRef pointer, uint64_t offset) {
  return LLVMBuildLoad2(n->b, type, instrument_at(n, pointer, offset), "");
}

LLVMValueRef instrument_call_value(struct instrumenter *n, void (*function)(void), LLVMValueRef first,
                                   LLVMValueRef second) {
  LLVMTypeRef types[] = {n->pointer, n->i64, n->i64};
  LLVMValueRef values[] = {n->context, first, second};
  const unsigned count = second ? 3 : 2;
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(n->l->context), types, count, false);
  return LLVMBuildCall2(n->b, type, emulator_call_declare(n->l, function, type), values, count, "");
}

LLVMValueRef instrument_call(struct instrumenter *n, void (*function)(void), uint64_t first, LLVMValueRef second) {
  return instrument_call_value(n, function, instrument_number(n, first), second);
}

LLVMValueRef instrument_room(struct instrumenter *n, uint64_t bytes) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(n->b);
  LLVMPositionBuilderBefore(n->b, LLVMGetFirstInstruction(n->entry));
  LLVMValueRef room = LLVMBuildArrayAlloca(n->b, n->i8, instrument_number(n, bytes + 1), "");
  LLVMSetAlignment(room, 16);
  LLVMPositionBuilderAtEnd(n->b, here);
  return room;
}

/* The new function. */

static void create_function(struct instrumenter *n, const char *name) {
  LLVMTypeRef types[] = {n->pointer, n->pointer};
  n->function =
      LLVMAddFunction(n->l->module, name, LLVMFunctionType(LLVMVoidTypeInContext(n->l->context), types, 2, false));
  n->context = LLVMGetParam(n->function, 0);
  n->arguments = LLVMGetParam(n->function, 1);
  n->entry = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
}

static void move_blocks(struct instrumenter *n) {
  for (uint32_t i = 0; i < n->l->program->code.block_count; i++) {
    LLVMRemoveBasicBlockFromParent(n->l->blocks[i]);
    LLVMAppendExistingBasicBlock(n->function, n->l->blocks[i]);
  }
}

static void load_argument(struct instrumenter *n, uint32_t i) {
  LLVMValueRef parameter = LLVMGetParam(n->l->kernel, i);
  const struct kernel_parameter *p = &n->l->program->parameters[i];
  if (p->is_structure || p->is_image || p->is_sampler)
    return;
  const uint64_t offset = i * sizeof(struct kernel_argument);
  LLVMValueRef value = instrument_load_at(n, LLVMTypeOf(parameter), n->arguments, offset);
  if (n->l->program->parameters[i].is_pointer) {
    n->argument_base[i] = LLVMBuildPtrToInt(n->b, value, n->i64, "");
    n->argument_bytes[i] =
        instrument_load_at(n, n->i64, n->arguments, offset + offsetof(struct kernel_argument, bytes));
  }
  LLVMReplaceAllUsesWith(parameter, value);
}

/* Static local arrays: the context's pointer points to global memory at the same address. */
static void place_local_arrays(struct instrumenter *n) {
  const struct kernel_variables *locals = &n->l->program->locals;
  if (locals->count == 0)
    return;
  LLVMValueRef memory = instrument_load_at(n, LLVMPointerTypeInContext(n->l->context, IR_LOCAL), n->context,
                                           offsetof(struct item_context, local_memory));
  for (uint32_t i = 0; i < locals->count; i++)
    n->local_base[i] = instrument_at(n, memory, locals->list[i].offset);
}

static int build_entry(struct instrumenter *n) {
  const struct kernel_program *program = n->l->program;
  LLVMPositionBuilderAtEnd(n->b, n->entry);
  n->block_slot = LLVMBuildAlloca(n->b, n->pointer, "");
  n->address_slot = LLVMBuildAlloca(n->b, n->pointer, "");
  LLVMBuildStore(n->b, instrument_load_at(n, n->pointer, n->context, offsetof(struct item_context, blocks)),
                 n->block_slot);
  LLVMBuildStore(n->b, instrument_load_at(n, n->pointer, n->context, offsetof(struct item_context, addresses)),
                 n->address_slot);
  n->bounds = instrument_load_at(n, n->i64, n->context, offsetof(struct item_context, bounds));
  n->private_base = instrument_load_at(n, n->pointer, n->context, offsetof(struct item_context, private_memory));
  n->argument_base = calloc(2 * (size_t)program->parameter_count + program->locals.count + 1, sizeof *n->argument_base);
  if (!n->argument_base)
    return lower_no_memory(n->l);
  n->argument_bytes = n->argument_base + program->parameter_count;
  n->local_base = n->argument_bytes + program->parameter_count;
  place_local_arrays(n);
  for (uint32_t i = 0; i < program->parameter_count; i++)
    load_argument(n, i);
  return 0;
}

/* Accesses. */

static LLVMValueRef accessed_pointer(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction))
    return LLVMGetOperand(instruction, LLVMGetNumArgOperands(instruction) - 1);
  return LLVMGetOperand(instruction, LLVMIsAStoreInst(instruction) ? 1 : 0);
}

static void record_address(struct instrumenter *n, const struct kernel_access *access, LLVMValueRef address,
                           uint32_t place) {
  LLVMValueRef offset = address; /* global, constant and local memory start at multiples of 4 GiB */
  if (access->root.space == SPACE_PRIVATE)
    offset = LLVMBuildSub(n->b, address, LLVMBuildPtrToInt(n->b, n->private_base, n->i64, ""), "");
  LLVMValueRef cursor = LLVMBuildLoad2(n->b, n->pointer, n->address_slot, "");
  LLVMBuildStore(n->b, LLVMBuildTrunc(n->b, offset, n->i32, ""), instrument_at(n, cursor, 4 * (uint64_t)place));
}

static void instrument_access(struct instrumenter *n, uint32_t access_id, uint32_t place) {
  LLVMValueRef instruction = n->l->access_instructions[access_id];
  if (!instruction)
    return;
  LLVMPositionBuilderBefore(n->b, instruction);
  LLVMValueRef address = LLVMBuildPtrToInt(n->b, accessed_pointer(instruction), n->i64, "");
  if (n->l->purpose.records)
    record_address(n, &n->l->program->accesses[access_id], address, place);
  instrument_check_access(n, access_id, address);
}

/* Blocks. */

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

void instrument_advance(struct instrumenter *n, LLVMValueRef slot, uint64_t bytes) {
  LLVMValueRef cursor = LLVMBuildLoad2(n->b, n->pointer, slot, "");
  LLVMBuildStore(n->b, instrument_at(n, cursor, bytes), slot);
}

void instrument_keep_cursors(struct instrumenter *n) {
  LLVMBuildStore(n->b, LLVMBuildLoad2(n->b, n->pointer, n->block_slot, ""),
                 instrument_at(n, n->context, offsetof(struct item_context, blocks)));
  LLVMBuildStore(n->b, LLVMBuildLoad2(n->b, n->pointer, n->address_slot, ""),
                 instrument_at(n, n->context, offsetof(struct item_context, addresses)));
}

static void instrument_end(struct instrumenter *n, LLVMValueRef terminator, uint32_t accesses) {
  LLVMPositionBuilderBefore(n->b, terminator);
  if (accesses && n->l->purpose.records)
    instrument_advance(n, n->address_slot, 4 * (uint64_t)accesses);
  if (LLVMIsAReturnInst(terminator)) {
    LLVMBuildBr(n->b, n->behind_item);
    LLVMInstructionEraseFromParent(terminator);
    return;
  }
  if (LLVMIsAUnreachableInst(terminator))
    instrument_call(n, (void (*)(void))emulation_unreachable, source_line(n->l, terminator), NULL);
}

static void record_block(struct instrumenter *n, uint32_t id) {
  LLVMPositionBuilderBefore(n->b, first_behind_phis(n->l->blocks[id]));
  LLVMValueRef cursor = LLVMBuildLoad2(n->b, n->pointer, n->block_slot, "");
  LLVMValueRef store = LLVMBuildStore(n->b, LLVMConstInt(n->i16, id, false), cursor);
  if (n->l->purpose.records)
    LLVMBuildStore(n->b, instrument_at(n, cursor, sizeof(uint16_t)), n->block_slot);
  else
    LLVMSetVolatile(store, true); /* so that the optimiser keeps it although the next one overwrites it */
}

static void instrument_block(struct instrumenter *n, uint32_t id) {
  const struct trace_block *block = &n->l->program->code.blocks[id];
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(n->l->blocks[id]);
  record_block(n, id);
  instrument_divisions(n, id); /* needs whole blocks; accesses are found by their instructions */
  for (uint32_t i = 0; i < block->mem_count; i++)
    instrument_access(n, block->first_mem + i, i);
  instrument_end(n, terminator, block->mem_count);
}

/* Variables. */

static void place_private_arrays(struct instrumenter *n) {
  LLVMValueRef next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(n->l->blocks[0]); i; i = next) {
    next = LLVMGetNextInstruction(i);
    struct placed_variable place;
    if (!LLVMIsAAllocaInst(i) || !variable_find(&n->l->variables, i, &place))
      continue;
    LLVMPositionBuilderAtEnd(n->b, n->entry);
    LLVMReplaceAllUsesWith(i, instrument_at(n, n->private_base, n->l->program->privates.list[place.index].offset));
    LLVMInstructionEraseFromParent(i);
  }
}

/* Makes program-scope constants addresses in the arena; jit.c copies the contents from the definition, which stays. */
static void place_constants(struct instrumenter *n) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(n->l->module); g; g = LLVMGetNextGlobal(g)) {
    struct placed_variable place;
    if (!variable_find(&n->l->variables, g, &place) || place.kind == ROOT_LOCAL)
      continue;
    const uint64_t address = (uintptr_t)n->l->arena->base + n->l->program->constants.list[place.index].offset;
    LLVMReplaceAllUsesWith(g, LLVMConstIntToPtr(instrument_number(n, address), LLVMTypeOf(g)));
    char name[40];
    snprintf(name, sizeof name, CONSTANT_NAME, place.index);
    LLVMSetValueName2(g, name, strlen(name));
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetUnnamedAddress(g, LLVMNoUnnamedAddr);
  }
}

int instrument_open(struct instrumenter *n, struct lowering *l, const char *name) {
  *n = (struct instrumenter){.l = l,
                             .b = LLVMCreateBuilderInContext(l->context),
                             .i8 = LLVMInt8TypeInContext(l->context),
                             .i16 = LLVMInt16TypeInContext(l->context),
                             .i32 = LLVMInt32TypeInContext(l->context),
                             .i64 = LLVMInt64TypeInContext(l->context),
                             .pointer = LLVMPointerTypeInContext(l->context, 0)};
  create_function(n, name);
  return build_entry(n);
}

void instrument_close(struct instrumenter *n) {
  LLVMDeleteFunction(n->l->kernel);
  local_arrays_delete(n->l);
  n->l->kernel = n->function;
  free(n->argument_base);
  LLVMDisposeBuilder(n->b);
}

int instrument(struct lowering *l) {
  struct instrumenter n;
  int status = instrument_open(&n, l, INSTRUMENTED_NAME);
  if (!status) {
    move_blocks(&n);
    instrument_calls(&n); /* needs whole blocks */
    place_private_arrays(&n);
    item_loop_open(&n);
    for (uint32_t id = 0; id < l->program->code.block_count; id++)
      instrument_block(&n, id);
    LLVMBasicBlockRef first = LLVMGetNextBasicBlock(n.entry);
    LLVMPositionBuilderAtEnd(n.b, n.entry);
    LLVMBuildBr(n.b, first);
    item_loop_close(&n, first);
    place_constants(&n);
    status = local_arrays_place(&n);
  }
  instrument_close(&n);
  return status;
}
