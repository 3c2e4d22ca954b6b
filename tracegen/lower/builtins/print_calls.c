/* Reads the format and the types of the arguments of each call of printf. */
#include "tracegen/lower/builtins/print_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/source_line.h"

#define MAX_VALUES 64
#define MAX_BYTES  4096 /* of the values of one call, which lie on the work-item's stack */

/* The format. */

/* Returns the string literal at whose start a constant pointer points, without its final NUL; NULL: there is none. */
static const char *literal(LLVMValueRef pointer, size_t *length) {
  while (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMBitCast)
    pointer = LLVMGetOperand(pointer, 0);
  if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer))
    return NULL;
  LLVMValueRef contents = LLVMGetInitializer(pointer);
  if (contents && LLVMIsAConstantAggregateZero(contents)) {
    *length = 0;
    return "";
  }
  if (!contents || !LLVMIsAConstantDataSequential(contents) || !LLVMIsConstantString(contents))
    return NULL;
  const char *text = LLVMGetAsString(contents, length);
  *length = strnlen(text, *length);
  return text;
}

static int read_format(struct lowering *l, LLVMValueRef call, struct kernel_print *print) {
  size_t length;
  struct error found = ERROR_INIT;
  const char *text = literal(LLVMGetOperand(call, 0), &length);
  if (!text)
    return lower_error(l, call, "the format of printf must be a string literal (OpenCL C, 6.12.13)");
  return print_format_parse(text, length, &print->format, &found) ? lower_error(l, call, "printf: %s", found.text) : 0;
}

/* The values. */

static int describe_value(struct lowering *l, LLVMValueRef call, LLVMValueRef argument, struct print_value *v) {
  uint32_t elements;
  LLVMTypeRef type = ir_element(LLVMTypeOf(argument), &elements);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const bool real = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind && !real)
    return lower_error(l, call, "printf: an argument of a type that cannot be printed");
  v->kind = kind == LLVMIntegerTypeKind ? PRINT_INTEGER : real ? PRINT_REAL : PRINT_ADDRESS;
  v->bytes = (uint8_t)LLVMStoreSizeOfType(l->layout, type);
  v->elements = (uint8_t)elements;
  if (v->bytes > 8 || elements > PRINT_MAX_ELEMENTS)
    return lower_error(l, call, "printf: an argument of a type that cannot be printed");
  return 0;
}

static int check_string(struct lowering *l, LLVMValueRef call, LLVMValueRef argument,
                        const struct print_conversion *c) {
  if (c->kind != PRINT_STRING || ir_space(argument) == IR_CONSTANT)
    return 0;
  return lower_error(l, call, "printf: conversion \"%s\" prints string literals only (OpenCL C, 6.12.13)", c->name);
}

static int read_values(struct lowering *l, LLVMValueRef call, struct kernel_print *print) {
  const unsigned given = LLVMGetNumArgOperands(call) - 1;
  if (given < print->format.count)
    return lower_error(l, call, "printf: the format has %zu conversions, the call only %u arguments for them",
                       print->format.count, given);
  if (print->format.count > MAX_VALUES)
    return lower_error(l, call, "printf: more than %d conversions", MAX_VALUES);
  print->values = calloc(print->format.count + 1, sizeof *print->values);
  if (!print->values)
    return lower_no_memory(l);
  for (unsigned i = 0; i < print->format.count; i++) {
    struct error found = ERROR_INIT;
    struct print_value *v = &print->values[i];
    LLVMValueRef argument = LLVMGetOperand(call, i + 1);
    if (describe_value(l, call, argument, v))
      return -1;
    if (print_conversion_check(&print->format.conversions[i], v, &found))
      return lower_error(l, call, "printf: %s", found.text);
    if (check_string(l, call, argument, &print->format.conversions[i]))
      return -1;
    v->offset = print->bytes;
    print->bytes +=
        (v->bytes * v->elements + PRINT_VALUE_ALIGNMENT - 1u) / PRINT_VALUE_ALIGNMENT * PRINT_VALUE_ALIGNMENT;
  }
  if (print->bytes > MAX_BYTES)
    return lower_error(l, call, "printf: arguments of more than %d bytes", MAX_BYTES);
  return 0;
}

static int read_call(struct lowering *l, LLVMValueRef call) {
  struct kernel_program *program = l->program;
  if (!array_room_for_one(&program->prints, program->print_count, sizeof *program->prints))
    return lower_no_memory(l);
  struct kernel_print *print = &program->prints[program->print_count++];
  *print = (struct kernel_print){.line = source_line(l, call)};
  if (read_format(l, call, print) || read_values(l, call, print))
    return -1;
  /* Without a use, the literal takes no room among the constants. The index counts from 1: 0 would be a null
   * pointer. */
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(l->context), program->print_count, false);
  LLVMSetOperand(call, 0, LLVMConstIntToPtr(index, LLVMTypeOf(LLVMGetOperand(call, 0))));
  return 0;
}

bool print_call_is(LLVMValueRef instruction) {
  LLVMValueRef callee = ir_callee(instruction);
  return callee && builtin_is_printf(callee);
}

int print_calls_read(struct lowering *l) {
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i))
    if (print_call_is(i) && read_call(l, i))
      return -1;
  return 0;
}
