/* Calls that remain in the optimised kernel and that generated code cannot make itself: work-item functions, barriers,
 * printf, image functions and markers become loads from the context or calls of the emulator. */
#include <assert.h>
#include <stddef.h>

#include "tracegen/abi/group_call.h"
#include "tracegen/abi/image_sample.h"
#include "tracegen/lower/builtins/image_calls.h"
#include "tracegen/lower/builtins/print_calls.h"
#include "tracegen/lower/instrument/inline_images.h"
#include "tracegen/lower/instrument/instrumenter.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/source_line.h"

static LLVMValueRef as_number(struct instrumenter *n, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(n->b, pointer, n->i64, "");
}

/* Work-item functions and arguments. */

LLVMValueRef instrument_query(struct instrumenter *n, LLVMValueRef call, int row) {
  LLVMValueRef dimension = instrument_number(n, 0);
  if (LLVMGetNumArgOperands(call) > 0) {
    LLVMValueRef wanted = LLVMBuildZExt(n->b, LLVMGetOperand(call, 0), n->i64, "");
    LLVMValueRef valid = LLVMBuildICmp(n->b, LLVMIntULT, wanted, instrument_number(n, 3), "");
    dimension = LLVMBuildSelect(n->b, valid, wanted, instrument_number(n, 3), "");
  }
  LLVMValueRef table = instrument_at(n, n->context, offsetof(struct item_context, query) + (uint64_t)row * 32);
  LLVMValueRef value = LLVMBuildLoad2(n->b, n->i64, LLVMBuildInBoundsGEP2(n->b, n->i64, table, &dimension, 1, ""), "");
  return LLVMBuildTruncOrBitCast(n->b, value, LLVMTypeOf(call), "");
}

LLVMValueRef instrument_argument_part(struct instrumenter *n, LLVMValueRef call) {
  const uint64_t parameter = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  const uint64_t offset = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
  LLVMValueRef part =
      instrument_load_at(n, LLVMTypeOf(call), n->arguments, parameter * sizeof(struct kernel_argument) + offset);
  LLVMSetAlignment(part, 1);
  return part;
}

/* Image functions. */

/* Stores where the addresses of the texels are recorded; `place` is that of the first in the block's addresses. */
static void store_addresses(struct instrumenter *n, LLVMValueRef room, uint32_t place) {
  LLVMValueRef addresses = LLVMConstNull(n->pointer);
  if (n->l->purpose.records)
    addresses = instrument_at(n, LLVMBuildLoad2(n->b, n->pointer, n->address_slot, ""), 4 * (uint64_t)place);
  LLVMBuildStore(n->b, addresses, instrument_at(n, room, offsetof(struct image_operands, addresses)));
}

static void call_image_function(struct instrumenter *n, LLVMValueRef call, const struct kernel_image_call *c,
                                uint32_t place) {
  const uint64_t index = (uint64_t)(c - n->l->program->image_calls);
  LLVMValueRef room = instrument_room(n, sizeof(struct image_operands));
  LLVMPositionBuilderBefore(n->b, call);
  LLVMBuildStore(n->b, LLVMGetOperand(call, 0), instrument_at(n, room, offsetof(struct image_operands, at)));
  store_addresses(n, room, place);
  LLVMValueRef color = instrument_at(n, room, offsetof(struct image_operands, color));
  if (c->writes)
    LLVMBuildStore(n->b, LLVMGetOperand(call, 1), color);
  instrument_call(n, (void (*)(void))emulation_image, index | (uint64_t)source_line(n->l, call) << 32,
                  as_number(n, room));
  if (!c->writes)
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(n->b, LLVMTypeOf(call), color, ""));
}

static void lower_image_call(struct instrumenter *n, LLVMValueRef call, uint32_t place) {
  const struct kernel_image_call *c = image_call_of(n->l->program, LLVMGetCalledValue(call));
  if (!inline_image_possible(n->l->program, c)) {
    call_image_function(n, call, c, place);
    return;
  }
  LLVMPositionBuilderBefore(n->b, call);
  LLVMReplaceAllUsesWith(call, inline_image_read(n, call, c, place));
}

/* printf. */

/* %p prints the address that a trace has, which is the same in every run: private memory starts at 0. */
static LLVMValueRef printed_value(struct instrumenter *n, LLVMValueRef value, const struct print_conversion *c) {
  if (c->kind != PRINT_POINTER)
    return value;
  LLVMValueRef address = as_number(n, value);
  if (ir_space(value) == IR_PRIVATE)
    address = LLVMBuildSub(n->b, address, as_number(n, n->private_base), "");
  return LLVMBuildAnd(n->b, address, instrument_number(n, UINT32_MAX), "");
}

static void lower_print_call(struct instrumenter *n, LLVMValueRef call) {
  const uint64_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(LLVMGetOperand(call, 0), 0)) - 1;
  const struct kernel_print *print = &n->l->program->prints[index];
  LLVMValueRef room = instrument_room(n, print->bytes);
  LLVMPositionBuilderBefore(n->b, call);
  for (unsigned i = 0; i < print->format.count; i++) {
    LLVMValueRef place = instrument_at(n, room, print->values[i].offset);
    LLVMValueRef value = printed_value(n, LLVMGetOperand(call, i + 1), &print->format.conversions[i]);
    LLVMSetAlignment(LLVMBuildStore(n->b, value, place), PRINT_VALUE_ALIGNMENT);
  }
  instrument_call(n, (void (*)(void))emulation_print, index, as_number(n, room));
  LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), 0, false));
}

/* Collective functions. */

/* Stores the first argument, and those behind it as numbers; missing ones are 0. */
static void store_operands(struct instrumenter *n, LLVMValueRef call, LLVMValueRef room) {
  const unsigned count = LLVMGetNumArgOperands(call);
  if (count > 0)
    LLVMBuildStore(n->b, LLVMGetOperand(call, 0), instrument_at(n, room, offsetof(struct collective_operands, value)));
  for (unsigned i = 0; i < COLLECTIVE_NUMBERS; i++) {
    LLVMValueRef number = i + 1 < count ? LLVMBuildIntCast2(n->b, LLVMGetOperand(call, i + 1), n->i64, false, "")
                                        : instrument_number(n, 0);
    LLVMBuildStore(n->b, number,
                   instrument_at(n, room, offsetof(struct collective_operands, numbers) + i * sizeof(uint64_t)));
  }
}

/* Stores the operands, waits for the others as at a barrier, and loads the result. */
static void lower_collective(struct instrumenter *n, LLVMValueRef call, const struct collective *c) {
  uint32_t op = 0;
  const bool known = value_map_get(&n->l->collectives, call, &op);
  assert(known);
  (void)known;
  LLVMValueRef room = instrument_room(n, sizeof(struct collective_operands));
  LLVMPositionBuilderBefore(n->b, call);
  store_operands(n, call, room);
  const uint64_t state = collective_pack(c, op);
  instrument_call(n, (void (*)(void))emulation_collective, state, as_number(n, room));
  instrument_call(n, (void (*)(void))emulation_barrier, state, NULL);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
    LLVMValueRef result = instrument_at(n, room, offsetof(struct collective_operands, result));
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(n->b, LLVMTypeOf(call), result, ""));
  }
}

/* Markers. */

static void lower_group_call(struct instrumenter *n, LLVMValueRef call) {
  const uint64_t kind = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  LLVMValueRef room = instrument_room(n, GROUP_CALL_ARGUMENTS * sizeof(uint64_t));
  LLVMPositionBuilderBefore(n->b, call);
  for (unsigned i = 0; i < group_call_names[kind].argument_count; i++) {
    LLVMValueRef value = LLVMGetOperand(call, 1 + i);
    value = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
                ? as_number(n, value)
                : LLVMBuildIntCast2(n->b, value, n->i64, false, "");
    LLVMBuildStore(n->b, value, instrument_at(n, room, i * sizeof(uint64_t)));
  }
  instrument_call(n, (void (*)(void))emulation_group_call, kind << 32 | source_line(n->l, call), as_number(n, room));
}

static void lower_shadow_store(struct instrumenter *n, LLVMValueRef call) {
  if (!marker_store_matters(call))
    return;
  LLVMValueRef bytes = LLVMBuildZExt(n->b, LLVMGetOperand(call, 1), n->i64, "");
  LLVMValueRef origin = LLVMBuildZExt(n->b, LLVMGetOperand(call, 2), n->i64, "");
  LLVMValueRef both = LLVMBuildOr(n->b, LLVMBuildShl(n->b, bytes, instrument_number(n, 32), ""), origin, "");
  instrument_call_value(n, (void (*)(void))emulation_undefined_store, both, as_number(n, LLVMGetOperand(call, 0)));
}

/* Replaces a call of a marker. False: the call calls none. */
static bool lower_marker(struct instrumenter *n, LLVMValueRef call, uint32_t block) {
  const uint64_t line = source_line(n->l, call);
  uint32_t access;
  switch (marker_called(call)) {
  case MARKER_ARGUMENT_PART:
    LLVMReplaceAllUsesWith(call, instrument_argument_part(n, call));
    return true;
  case MARKER_IMAGE:
    if (value_map_get(&n->l->image_accesses, call, &access))
      lower_image_call(n, call, access - n->l->program->code.blocks[block].first_mem);
    return true;
  case MARKER_GROUP_CALL:
    lower_group_call(n, call);
    return true;
  case MARKER_UNINITIALISED_READ:
    instrument_call(n, (void (*)(void))emulation_undefined_variable, line,
                    LLVMBuildZExt(n->b, LLVMGetOperand(call, 0), n->i64, ""));
    return true;
  case MARKER_ZERO_DIVISOR:
    instrument_call(n, (void (*)(void))emulation_divided_by_zero, line, NULL);
    return true;
  case MARKER_ELIDED_ACCESS:
    instrument_call(n, (void (*)(void))emulation_elided_access,
                    LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) << 32 | line, LLVMGetOperand(call, 2));
    return true;
  case MARKER_SHADOW_STORE:
    lower_shadow_store(n, call);
    return true;
  case MARKER_KEPT_VARIABLE:
    return true;
  default:
    return false;
  }
}

/* Replaces a call of a built-in function that the emulator provides. False: the call stays. */
static bool lower_builtin(struct instrumenter *n, LLVMValueRef call, LLVMValueRef callee, uint32_t block) {
  const int row = builtin_query(callee);
  struct collective c;
  if (builtin_is_barrier(callee))
    instrument_call(n, (void (*)(void))emulation_barrier, block, NULL);
  else if (builtin_is_collective(callee, &c))
    lower_collective(n, call, &c);
  else if (print_call_is(call))
    lower_print_call(n, call);
  else if (row >= 0)
    LLVMReplaceAllUsesWith(call, instrument_query(n, call, row));
  else
    return builtin_is_fence(callee);
  return true;
}

void instrument_calls(struct instrumenter *n) {
  for (uint32_t id = 0; id < n->l->program->code.block_count; id++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(n->l->blocks[id]), next; i; i = next) {
      LLVMValueRef callee = ir_callee(i);
      next = LLVMGetNextInstruction(i);
      if (!callee)
        continue;
      LLVMPositionBuilderBefore(n->b, i);
      if (lower_marker(n, i, id) || lower_builtin(n, i, callee, id))
        LLVMInstructionEraseFromParent(i);
    }
}
