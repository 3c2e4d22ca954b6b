#include "tracegen/lower/builtins/print_calls.h"

#include "tracegen/lower/describe/source_line.h"

#include <stdlib.h>
#include <string.h>

#define MAX_VALUES  64
#define MAX_BYTES   4096 /* of the values of one call: they lie on the work-item's stack */
#define VALUE_ALIGN 8

bool print_is_call(LLVMValueRef instruction) {
  char name[64];
  if (!LLVMIsACallInst(instruction))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) && strcmp(builtin_name(callee, name, sizeof name), "printf") == 0;
}

/* The format. */

/* The literal that a constant pointer points to the start of, without its final NUL; NULL: it does not. */
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
  LLVMTypeRef type = lower_element(LLVMTypeOf(argument), &elements);
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
  if (c->kind != PRINT_STRING || LLVMGetPointerAddressSpace(LLVMTypeOf(argument)) == 2)
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
    return error_set(l->error, ERROR_WORK, "out of memory");
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
    print->bytes += (v->bytes * v->elements + VALUE_ALIGN - 1u) / VALUE_ALIGN * VALUE_ALIGN;
  }
  if (print->bytes > MAX_BYTES)
    return lower_error(l, call, "printf: arguments of more than %d bytes", MAX_BYTES);
  return 0;
}

static int read_call(struct lowering *l, LLVMValueRef call) {
  struct kernel_program *program = l->program;
  struct kernel_print *larger = realloc(program->prints, (program->print_count + 1) * sizeof *larger);
  if (!larger)
    return error_set(l->error, ERROR_WORK, "out of memory");
  program->prints = larger;
  struct kernel_print *print = &program->prints[program->print_count++];
  *print = (struct kernel_print){.line = source_line(l, call)};
  if (read_format(l, call, print) || read_values(l, call, print))
    return -1;
  /* The literal is no longer used and takes no room among the constants. Counted from 1: 0 would become a null pointer.
   */
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(l->context), program->print_count, false);
  LLVMSetOperand(call, 0, LLVMConstIntToPtr(index, LLVMTypeOf(LLVMGetOperand(call, 0))));
  return 0;
}

int print_calls_read(struct lowering *l) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->kernel); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (print_is_call(i) && read_call(l, i))
        return -1;
  return 0;
}

/* Code. */

static LLVMValueRef number(struct instrumenter *n, uint64_t value) {
  return LLVMConstInt(n->i64, value, false);
}

/* What %p shows is the address that a trace has, the same on every run: private memory starts at 0. */
static LLVMValueRef shown(struct instrumenter *n, LLVMValueRef value, const struct print_conversion *c) {
  if (c->kind != PRINT_POINTER)
    return value;
  LLVMValueRef address = LLVMBuildPtrToInt(n->b, value, n->i64, "");
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == 0)
    address = LLVMBuildSub(n->b, address, LLVMBuildPtrToInt(n->b, n->private_base, n->i64, ""), "");
  return LLVMBuildAnd(n->b, address, number(n, UINT32_MAX), "");
}

void print_call_lower(struct instrumenter *n, LLVMValueRef call) {
  const uint64_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(LLVMGetOperand(call, 0), 0)) - 1;
  const struct kernel_print *print = &n->l->program->prints[index];
  LLVMValueRef room = instrument_room(n, print->bytes);
  LLVMPositionBuilderBefore(n->b, call);
  for (unsigned i = 0; i < print->format.count; i++) {
    LLVMValueRef offset = number(n, print->values[i].offset);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(n->b, n->i8, room, &offset, 1, "");
    LLVMValueRef value = shown(n, LLVMGetOperand(call, i + 1), &print->format.conversions[i]);
    LLVMSetAlignment(LLVMBuildStore(n->b, value, place), VALUE_ALIGN);
  }
  instrument_call(n, (void (*)(void))emulation_print, index, LLVMBuildPtrToInt(n->b, room, n->i64, ""));
  LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), 0, false));
}
