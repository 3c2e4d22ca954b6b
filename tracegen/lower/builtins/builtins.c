/* OpenCL's built-in functions: PoCL's bitcode (builtin_library.c), of which only what the kernel uses is read.
 *
 * Functions without pointers (exp, clamp, ...) stay calls of opaque functions: the trace has one operation for each.
 * Functions with pointers (atomics, vload_half, ...) are inlined, so that their accesses are traced. vloadN and vstoreN
 * get bodies of our own: PoCL's suit x86 (two halves), and a GPU makes one access. */
#include "tracegen/lower/builtins/builtins.h"

#include <stdio.h>
#include <string.h>

#include "tracegen/lower/builtins/builtin_library.h"
#include "tracegen/lower/builtins/builtin_shapes.h"
#include "tracegen/lower/builtins/collective_calls.h"
#include "tracegen/lower/builtins/extension_functions.h"
#include "tracegen/lower/builtins/generic_pointers.h"
#include "tracegen/lower/builtins/group_copies.h"
#include "tracegen/lower/builtins/half_functions.h"
#include "tracegen/lower/builtins/wide_arguments.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"

/* Attributes. */

static bool takes_pointer(LLVMValueRef function) {
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
    if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
      return true;
  return false;
}

/* Removes attributes of the processor that a function was compiled for. */
static void strip_target(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
}

/* Makes a function inlined everywhere, or opaque to the optimiser. */
static void set_inlining(struct lowering *l, LLVMValueRef function) {
  char name[64];
  const bool inlined = ir_is_from_source(function) ||
                       (takes_pointer(function) && !builtin_stores_result(builtin_name(function, name, sizeof name)));
  static const char *const all[] = {"optnone", "noinline", "alwaysinline"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ir_remove_attribute(function, all[i]);
  if (!inlined)
    ir_make_opaque(l, function);
  else if (function != l->kernel)
    ir_add_attribute(l, function, "alwaysinline", 0);
}

/* vloadN and vstoreN: one access each. */

static bool is_vector_access(const char *name, const char *stem) {
  const size_t length = strlen(stem);
  if (strncmp(name, stem, length) != 0)
    return false;
  const char *n = name + length;
  return strcmp(n, "2") == 0 || strcmp(n, "3") == 0 || strcmp(n, "4") == 0 || strcmp(n, "8") == 0 ||
         strcmp(n, "16") == 0;
}

static LLVMValueRef element_address(struct lowering *l, LLVMBuilderRef builder, LLVMTypeRef vector, LLVMValueRef offset,
                                    LLVMValueRef pointer) {
  LLVMValueRef width = LLVMConstInt(LLVMInt64TypeInContext(l->context), LLVMGetVectorSize(vector), false);
  LLVMValueRef index = LLVMBuildMul(builder, offset, width, "");
  return LLVMBuildInBoundsGEP2(builder, LLVMGetElementType(vector), pointer, &index, 1, "");
}

static void define_vector_access(struct lowering *l, LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  const bool load = is_vector_access(name, "vload"), store = is_vector_access(name, "vstore");
  if ((!load && !store) || !LLVMIsDeclaration(function) || LLVMCountParams(function) != (load ? 2u : 3u))
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(l->context, function, ""));
  LLVMValueRef value = load ? NULL : LLVMGetParam(function, 0), offset = LLVMGetParam(function, load ? 0 : 1),
               pointer = LLVMGetParam(function, load ? 1 : 2);
  LLVMTypeRef vector = load ? LLVMGetReturnType(LLVMGlobalGetValueType(function)) : LLVMTypeOf(value);
  LLVMValueRef address = element_address(l, builder, vector, offset, pointer);
  LLVMValueRef access = load ? LLVMBuildLoad2(builder, vector, address, "") : LLVMBuildStore(builder, value, address);
  LLVMSetAlignment(access, (unsigned)LLVMStoreSizeOfType(l->layout, LLVMGetElementType(vector)));
  if (load)
    LLVMBuildRet(builder, access);
  else
    LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMGlobalClearMetadata(function); /* without debug information of its own, the access gets the line of the call */
}

/* Functions that the emulator provides stay declarations: under a name of ours the library cannot define them. */

bool builtin_stays_declared(LLVMValueRef function) {
  char name[64];
  return builtin_query(function) >= 0 || builtin_is_barrier(function) || marker_of(function) != MARKER_NONE ||
         builtin_is_collective(function, NULL) || builtin_is_printf(function) ||
         builtin_is_image_function(builtin_name(function, name, sizeof name));
}

static void hidden_name(LLVMValueRef function, char *hidden, size_t size) {
  char name[64];
  builtin_name(function, name, sizeof name);
  if (builtin_is_collective(function, NULL)) { /* whose types count */
    snprintf(hidden, size, "%s.hidden", ir_name(function));
    return;
  }
  snprintf(hidden, size, "_Z%zu%s.hidden", strlen(name), name);
}

static void hide_declaration(LLVMValueRef function) {
  char hidden[160];
  hidden_name(function, hidden, sizeof hidden);
  LLVMSetValueName2(function, hidden, strlen(hidden));
}

/* Makes a work-item function of the library, which inlined library code may call, a call of ours. */
static void replace_definition(struct lowering *l, LLVMValueRef function) {
  char hidden[160];
  hidden_name(function, hidden, sizeof hidden);
  LLVMValueRef ours = ir_declare(l, hidden, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(ours, LLVMGetFunctionCallConv(function));
  LLVMReplaceAllUsesWith(function, ours);
}

/* Renames functions that PoCL's SPIR library lacks to others that mean the same: OpenCL 1.0's atom_add on 32-bit
 * integers to atomic_add, and half_sin to native_sin, which keeps its loose bounds. */
static void use_other_name(LLVMValueRef function) {
  char name[64], other[256];
  const char *full_name = ir_name(function);
  builtin_name(function, name, sizeof name);
  const char *found = strstr(full_name, name), *types = found ? found + strlen(name) : "";
  /* "native" replaces "half", "atomic" replaces "atom" */
  const bool half = strncmp(name, "half_", 5) == 0, atom = strncmp(name, "atom_", 5) == 0 && !strpbrk(types, "lm");
  if (!found || (!half && !atom))
    return;
  const char *stem = half ? "native" : "atomic";
  snprintf(other, sizeof other, "_Z%zu%s%s%s", strlen(stem) + strlen(name) - 4, stem, name + 4, types);
  LLVMValueRef existing = LLVMGetNamedFunction(LLVMGetGlobalParent(function), other);
  if (existing)
    LLVMReplaceAllUsesWith(function, existing);
  else
    LLVMSetValueName2(function, other, strlen(other));
}

/* Stops the optimiser from concluding anything about static local arrays: they start undefined, and other work-items
 * write them. */
static void forget_local_contents(struct lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3) {
      LLVMSetInitializer(g, NULL);
      LLVMSetLinkage(g, LLVMExternalLinkage);
      LLVMSetUnnamedAddress(g, LLVMNoUnnamedAddr);
    }
}

/* An error where the source calls a function with another calling convention or other types than it is defined with.
 * LLVM would silently remove such a call. The function is one of the library's own, or is declared with other types. */
static int refuse_mismatched_calls(struct lowering *l, LLVMValueRef function) {
  char name[64];
  for (LLVMValueRef i = ir_first(function); i; i = ir_next(i)) {
    LLVMValueRef callee = ir_callee(i);
    if (callee && LLVMGetFunctionCallConv(callee) != LLVMGetInstructionCallConv(i))
      return lower_error(l, i, LOWER_UNKNOWN_FUNCTION, builtin_name(callee, name, sizeof name));
    if (callee && LLVMGetCalledFunctionType(i) != LLVMGlobalGetValueType(callee))
      return builtin_shape_refuse(l, i, builtin_name(callee, name, sizeof name));
  }
  return 0;
}

/* An error where the source calls a function on halves that half_functions.c has defined by one that the library has
 * not: the source has declared it with types that OpenCL does not have. */
static int refuse_missing_stand_in(struct lowering *l, LLVMValueRef function) {
  char name[64];
  LLVMUseRef use = LLVMGetFirstUse(function);
  const bool on_halves = strstr(ir_name(function), "Dh") || strstr(ir_name(function), "convert_half");
  for (LLVMValueRef i = ir_first(function); i && use && on_halves; i = ir_next(i)) {
    LLVMValueRef callee = ir_callee(i);
    if (callee && LLVMIsDeclaration(callee) && !LLVMGetIntrinsicID(callee))
      return lower_error(l, LLVMGetUser(use), LOWER_UNKNOWN_FUNCTION, builtin_name(function, name, sizeof name));
  }
  return 0;
}

static void prepare_declaration(struct lowering *l, LLVMValueRef f) {
  define_vector_access(l, f);
  half_functions_define(l, f);
  extension_functions_define(l, f);
  if (LLVMIsDeclaration(f))
    use_other_name(f);
  collective_calls_mark(l, f);
  if (builtin_is_barrier(f)) /* a barrier in each branch is an error in divergent flow: the two must not be merged */
    ir_add_attribute(l, f, "nomerge", 0);
  if (LLVMIsDeclaration(f) && builtin_stays_declared(f) && marker_of(f) == MARKER_NONE)
    hide_declaration(f);
  else
    generic_pointers_replace(l, f);
}

static int prepare_definition(struct lowering *l, LLVMValueRef f) {
  if (ir_is_from_source(f) && refuse_mismatched_calls(l, f))
    return -1;
  if (!ir_is_from_source(f)) {
    if (refuse_missing_stand_in(l, f))
      return -1;
    wide_arguments_repair(l, f);
    if (builtin_stays_declared(f))
      replace_definition(l, f);
  }
  set_inlining(l, f);
  return 0;
}

int builtins_link(struct lowering *l) {
  if (builtin_shapes_check(l))
    return -1;
  forget_local_contents(l);
  group_copies_mark(l);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    prepare_declaration(l, f);
  if (builtin_library_link(l))
    return -1;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    strip_target(f);
    if (LLVMIsDeclaration(f) && builtin_query(f) >= 0) /* GPUs keep ids in registers */
      ir_make_invariant(l, f);
    if (!LLVMIsDeclaration(f) && prepare_definition(l, f))
      return -1;
  }
  return 0;
}
