#include "tracegen/lower/ir/emulator_calls.h"

#include <assert.h>

#include "tracegen/abi/half_calls.h"
#include "tracegen/abi/kernel_simd.h"

#define CALL(function)                                                                                                 \
  { "reassemble." #function, (void (*)(void))function }

const struct emulator_call emulator_calls[] = {
    CALL(emulation_bad_access),
    CALL(emulation_checked_access),
    CALL(emulation_elided_access),
    CALL(emulation_undefined_store),
    CALL(emulation_undefined_variable),
    CALL(emulation_check_access),
    CALL(emulation_check_simd),
    CALL(emulation_readable),
    CALL(emulation_barrier),
    CALL(emulation_collective),
    CALL(emulation_group_call),
    CALL(emulation_unreachable),
    CALL(emulation_divided_by_zero),
    CALL(emulation_image),
    CALL(emulation_print),
    {"__extendhfsf2", (void (*)(void))half_call_extend},
    {"__truncsfhf2", (void (*)(void))half_call_round},
    {"__truncdfhf2", (void (*)(void))half_call_round_double},
    {NULL, NULL},
};

LLVMValueRef emulator_call_declare(struct lowering *l, void (*function)(void), LLVMTypeRef type) {
  const struct emulator_call *call = emulator_calls;
  while (call->name && call->function != function)
    call++;
  assert(call->name);
  LLVMValueRef known = LLVMGetNamedFunction(l->module, call->name);
  return known ? known : LLVMAddFunction(l->module, call->name, type);
}
