/* OpenCL's built-in functions: PoCL's bitcode (builtin_library.c), of which only what the kernel uses is read.
 *
 * Functions without pointers (exp, clamp, ...) stay calls that nobody looks into: the trace has one operation for each.
 * Functions with pointers (atomics, vload_half, ...) are inlined, so that their accesses are seen. vloadN and vstoreN
 * get bodies of our own, because PoCL's fit x86 (two halves) and a GPU has one access. */
#include "tracegen/lower/lower.h"
#include "tracegen/abi/phases.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Transforms/PassBuilder.h>

#include "tracegen/lower/builtins/group_copies.h"
#include "tracegen/lower/builtins/image_calls.h"

const char *builtin_name(LLVMValueRef function, char *buffer, size_t size) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char *end;
  if (strncmp(name, "_Z", 2) == 0 && isdigit((unsigned char)name[2])) {
    const unsigned long digits = strtoul(name + 2, &end, 10);
    if (digits <= strlen(end)) {
      name = end;
      length = digits;
    }
  }
  if (length > 4 && strncmp(name, "_cl_", 4) == 0) {
    name += 4;
    length -= 4;
  }
  if (length >= size)
    length = size - 1;
  memcpy(buffer, name, length);
  buffer[length] = 0;
  return buffer;
}

bool builtin_is_shuffle(LLVMValueRef value) {
  char name[64];
  LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
  if (!callee || !LLVMIsAFunction(callee))
    return false;
  builtin_name(callee, name, sizeof name);
  return strcmp(name, "shuffle") == 0 || strcmp(name, "shuffle2") == 0;
}

int builtin_query(LLVMValueRef function) {
  static const char *const names[QUERY_COUNT] = {
#define X(id, name) name,
      WORK_ITEM_QUERIES(X)
#undef X
  };
  char name[64];
  builtin_name(function, name, sizeof name);
  for (int i = 0; i < QUERY_COUNT; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

bool builtin_is_barrier(LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  return strcmp(name, "barrier") == 0 || strcmp(name, "work_group_barrier") == 0 ||
         strcmp(name, "wait_group_events") == 0; /* the copies it waits for are shared by all work-items */
}

bool builtin_stores_result(const char *name) {
  static const char *const names[] = {"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Attributes. */

static void set_attribute(struct lowering *l, LLVMValueRef function, const char *name, bool on) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
  if (on)
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(l->context, kind, 0));
}

static bool takes_pointer(LLVMValueRef function) {
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
    if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
      return true;
  return false;
}

/* Code must not depend on the processor that either side was compiled for. */
static void strip_target(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
}

/* Inlined, or a call that optimisation leaves alone. */
static void set_inlining(struct lowering *l, LLVMValueRef function) {
  char name[64];
  const bool inlined = lower_is_user(function) ||
                       (takes_pointer(function) && !builtin_stores_result(builtin_name(function, name, sizeof name)));
  set_attribute(l, function, "optnone", false);
  set_attribute(l, function, "noinline", !inlined);
  set_attribute(l, function, "alwaysinline", inlined && function != l->kernel);
  set_attribute(l, function, "optnone", !inlined);
}

void builtin_keep_calls(struct lowering *l, LLVMValueRef function) {
  set_attribute(l, function, "noinline", true);
  set_attribute(l, function, "optnone", true);
}

/* vloadN, vstoreN: one access. */

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
  LLVMGlobalClearMetadata(function); /* without debug information of its own, its access gets the line of the call */
}

/* Queries and barriers stay declarations: under a name of ours the library cannot define them. */

bool builtin_stays_declared(LLVMValueRef function) {
  char name[64];
  return builtin_query(function) >= 0 || builtin_is_barrier(function) || structure_reads_argument(function) ||
         undefined_variable_is_trap(function) || strcmp(builtin_name(function, name, sizeof name), "printf") == 0 ||
         image_is_function(name);
}

static void hide_declaration(LLVMValueRef function) {
  char name[64], hidden[80];
  builtin_name(function, name, sizeof name);
  snprintf(hidden, sizeof hidden, "_Z%zu%s.hidden", strlen(name), name);
  LLVMSetValueName2(function, hidden, strlen(hidden));
}

/* Inlined library code may bring in the library's own queries; they become calls of ours. */
static void replace_definition(LLVMValueRef function) {
  char name[64], hidden[80];
  builtin_name(function, name, sizeof name);
  snprintf(hidden, sizeof hidden, "_Z%zu%s.hidden", strlen(name), name);
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMValueRef ours = LLVMGetNamedFunction(module, hidden);
  if (!ours) {
    ours = LLVMAddFunction(module, hidden, LLVMGlobalGetValueType(function));
    LLVMSetFunctionCallConv(ours, LLVMGetFunctionCallConv(function));
  }
  LLVMReplaceAllUsesWith(function, ours);
}

/* Names that PoCL's SPIR functions lack and others that mean the same: OpenCL 1.0's atom_add on 32-bit integers, and
 * half_sin, whose loose bounds native_sin keeps. */
static void use_other_name(LLVMValueRef function) {
  char name[64], other[256];
  size_t length;
  const char *full_name = LLVMGetValueName2(function, &length);
  builtin_name(function, name, sizeof name);
  const char *found = strstr(full_name, name), *types = found ? found + strlen(name) : "";
  /* "native_sin" has "native" for "half", "atomic_add" has "atomic" for "atom". */
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

/* Static local arrays start undefined and are written by other work-items: nothing may be concluded about them. */
static void forget_local_contents(struct lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3) {
      LLVMSetInitializer(g, NULL);
      LLVMSetLinkage(g, LLVMExternalLinkage);
      LLVMSetUnnamedAddress(g, LLVMNoUnnamedAddr);
    }
}

/* A call that passes its arguments in another way than the function takes them is undefined to LLVM, which would
 * silently drop it: a function of the library's own, not one of OpenCL's, or one that is declared with other types. */
static int refuse_mismatched_calls(struct lowering *l, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      char name[64];
      if (callee && LLVMIsAFunction(callee) && LLVMGetFunctionCallConv(callee) != LLVMGetInstructionCallConv(i))
        return lower_error(l, i, LOWER_UNKNOWN_FUNCTION, builtin_name(callee, name, sizeof name));
      if (callee && LLVMIsAFunction(callee) && LLVMGetCalledFunctionType(i) != LLVMGlobalGetValueType(callee))
        return builtin_shape_refuse(l, i, builtin_name(callee, name, sizeof name));
    }
  return 0;
}

int builtins_link(struct lowering *l) {
  phase_mark("reading the bitcode");
  if (builtin_shapes_check(l))
    return -1;
  forget_local_contents(l);
  group_copies_mark(l);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    define_vector_access(l, f);
    if (LLVMIsDeclaration(f))
      use_other_name(f);
    if (builtin_is_barrier(f)) /* one in each branch is a mistake in divergent flow, and stays two barriers */
      set_attribute(l, f, "nomerge", true);
    if (LLVMIsDeclaration(f) && builtin_stays_declared(f) && !structure_reads_argument(f) &&
        !undefined_variable_is_trap(f))
      hide_declaration(f);
  }
  if (builtin_library_link(l))
    return -1;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    strip_target(f);
    if (LLVMIsDeclaration(f))
      continue;
    if (lower_is_user(f) && refuse_mismatched_calls(l, f))
      return -1;
    if (!lower_is_user(f))
      builtins_pass_wide_vectors(l, f);
    if (!lower_is_user(f) && builtin_stays_declared(f))
      replace_definition(f);
    set_inlining(l, f);
  }
  phase_mark("linking built-ins");
  return 0;
}

int lower_optimise(struct lowering *l) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  undefined_reads_mark(l);
  /* What compilers for GPUs do not do to scalar code; loops stay loops unless the source says #pragma unroll. */
  LLVMPassBuilderOptionsSetLoopInterleaving(options, false);
  LLVMPassBuilderOptionsSetLoopVectorization(options, false);
  LLVMPassBuilderOptionsSetSLPVectorization(options, false);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
  /* With the option alone LLVM 15 still vectorised a loop over bytes (for (i...40) c[i] = b[i * n]); the loop
   * vectoriser leaves functions with this attribute alone. */
  set_attribute(l, l->kernel, "noimplicitfloat", true);
  /* No target machine: its costs are the host's, and counts are for the target. */
  LLVMErrorRef failure = LLVMRunPasses(l->module, "default<O2>", NULL, options);
  phase_mark("optimising");
  LLVMDisposePassBuilderOptions(options);
  if (failure) {
    char *message = LLVMGetErrorMessage(failure);
    error_set(l->error, ERROR_WORK, "LLVM's optimiser failed: %s", message);
    LLVMDisposeErrorMessage(message);
    return -1;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    set_attribute(l, f, "optnone", false);
  set_attribute(l, l->kernel, "noimplicitfloat", false);
  return 0;
}
