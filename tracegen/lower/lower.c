/* Bitcode -> a module with one kernel; and the order of all stages. */
#include "tracegen/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "base/text.h"
#include "tracegen/lower/builtins/event_types.h"
#include "tracegen/lower/builtins/image_calls.h"
#include "tracegen/abi/kernel_simd.h"
#include "tracegen/lower/llvm_failure.h"
#include "tracegen/sanitize/elided_accesses.h"
#include "tracegen/lower/builtins/print_calls.h"
#include "tracegen/lower/describe/source_line.h"
#include "tracegen/sanitize/undefined_stores.h"

#define SPIR_KERNEL 76 /* llvm/IR/CallingConv.h */
#define MAX_LISTED  4096
#define USER        "reassemble-user" /* attribute of the source's functions */

/* Where a function is defined; 0: not known. */
static unsigned subprogram_line(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

int lower_error(struct lowering *l, LLVMValueRef instruction, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char file[512];
  if (instruction && LLVMIsAInstruction(instruction)) {
    const unsigned line = source_place(l, instruction, file, sizeof file);
    return error_at(l->error, ERROR_INPUT, file, line, 0, NULL, "kernel %s: %s", l->program->name, text);
  }
  return error_at(l->error, ERROR_INPUT, l->program->source, l->kernel ? subprogram_line(l->kernel) : 0, 0, NULL,
                  "kernel %s: %s", l->program->name, text);
}

int kernel_variable_add(struct kernel_variables *v, const char *name, uint64_t bytes, uint32_t alignment) {
  if (v->count == v->capacity) {
    const uint32_t capacity = v->capacity ? 2 * v->capacity : 16;
    struct kernel_variable *larger = realloc(v->list, capacity * sizeof *larger);
    if (!larger)
      return -1;
    v->list = larger;
    v->capacity = capacity;
  }
  v->list[v->count] = (struct kernel_variable){.name = strdup(name), .bytes = bytes, .alignment = alignment};
  return v->list[v->count++].name ? 0 : -1;
}

LLVMTypeRef lower_element(LLVMTypeRef type, uint32_t *elements) {
  const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  *elements = vector ? LLVMGetVectorSize(type) : 1;
  return vector ? LLVMGetElementType(type) : type;
}

int lower_type(LLVMTypeRef type, uint8_t *out, uint32_t *elements) {
  type = lower_element(type, elements);
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind:
    *out = TYPE_VOID;
    return 0;
  case LLVMIntegerTypeKind: {
    const unsigned bits = LLVMGetIntTypeWidth(type);
    *out = bits == 1 ? TYPE_I1 : bits <= 8 ? TYPE_I8 : bits <= 16 ? TYPE_I16 : bits <= 32 ? TYPE_I32 : TYPE_I64;
    *elements *= bits <= 64 ? 1 : (bits + 63) / 64; /* wider integers: that many 64-bit parts */
    return 0;
  }
  case LLVMHalfTypeKind:
    *out = TYPE_F16;
    return 0;
  case LLVMFloatTypeKind:
    *out = TYPE_F32;
    return 0;
  case LLVMDoubleTypeKind:
    *out = TYPE_F64;
    return 0;
  case LLVMPointerTypeKind:
    *out = TYPE_PTR;
    return 0;
  default:
    return -1;
  }
}

/* The kernel. */

bool lower_is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == SPIR_KERNEL && !LLVMIsDeclaration(function);
}

static int no_such_kernel(struct lowering *l, const char *wanted) {
  const char *names[MAX_LISTED + 1];
  size_t count = 0, length;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && count < MAX_LISTED; f = LLVMGetNextFunction(f))
    if (lower_is_kernel(f))
      names[count++] = LLVMGetValueName2(f, &length);
  names[count] = NULL;
  if (!count)
    return error_set(l->error, ERROR_INPUT, "%s defines no kernel; expected \"__kernel void %s(...)\"",
                     l->program->source, wanted);
  const char *near = text_nearest(wanted, names);
  char list[512] = "";
  for (size_t i = 0, used = 0; i < count && used < sizeof list - 80; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", i ? ", " : "", names[i]);
  return error_set(l->error, ERROR_INPUT, "%s defines no kernel \"%s\"%s%s%s (its kernels: %s)", l->program->source,
                   wanted, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", list);
}

/* Other kernels, and what only they call, would take time in every stage, and their mistakes are not this one's. */
static void delete_unused_functions(struct lowering *l) {
  for (bool more = true; more;) {
    more = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module), next; f; f = next) {
      next = LLVMGetNextFunction(f);
      if (f == l->kernel || LLVMIsDeclaration(f) || LLVMGetFirstUse(f))
        continue;
      LLVMDeleteFunction(f);
      more = true;
    }
  }
}

/* Everything but the kernel becomes internal, so that it disappears unless it is used. */
static int pick_kernel(struct lowering *l, const char *name) {
  l->kernel = LLVMGetNamedFunction(l->module, name);
  if (!l->kernel || !lower_is_kernel(l->kernel))
    return no_such_kernel(l, name);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    LLVMAddTargetDependentFunctionAttr(f, USER, "");
    if (f != l->kernel)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  delete_unused_functions(l);
  return 0;
}

bool lower_is_user(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, USER, strlen(USER)) != NULL;
}

LLVMValueRef lower_declare_pure(struct lowering *l, const char *name, LLVMTypeRef type) {
#if REASSEMBLE_LLVM_MAJOR < 16
  static const char *const attributes[] = {"readnone", "nounwind", "willreturn", "nocallback", "nosync"};
#else /* memory: 0 is none of it */
  static const char *const attributes[] = {"memory", "nounwind", "willreturn", "nocallback", "nosync"};
#endif
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (function)
    return function;
  function = LLVMAddFunction(l->module, name, type);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    if (kind)
      LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(l->context, kind, 0));
  }
  return function;
}

/* LLVM reports through a handler; its text is only of use in an error. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)info;
  (void)context;
}

/* Loops are not strength-reduced: that takes a quarter to a half of the time of native code, and makes none faster. */
void kernel_prepare(void) {
  static const char *const options[] = {"reassemble", "-disable-lsr"};
  static bool is_prepared;
  if (!is_prepared) {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
  }
  is_prepared = true;
}

static int make_machine(struct lowering *l) {
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  LLVMTargetRef target;
  kernel_prepare();
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    error_set(l->error, ERROR_WORK, "LLVM cannot generate code for %s: %s", triple, message);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return -1;
  }
  /* The plainest processor of the architecture: the same arithmetic on every host of it. */
  l->machine = LLVMCreateTargetMachine(target, triple, "generic", "", LLVMCodeGenLevelDefault, LLVMRelocDefault,
                                       LLVMCodeModelJITDefault);
  LLVMDisposeMessage(triple);
  l->layout = LLVMCreateTargetDataLayout(l->machine);
  return 0;
}

/* The host's layout of memory, but native integers of at most 32 bits, as on the GPUs that traces are for: with 64-bit
 * ones LLVM turns every 32-bit index of a loop into a 64-bit one. */
static int set_layout(struct lowering *l) {
  char *host = LLVMCopyStringRepOfTargetData(l->layout), *native = strstr(host, "-n");
  char *text = native ? text_format("%.*s-n8:16:32%s", (int)(native - host), host,
                                    strchr(native + 1, '-') ? strchr(native + 1, '-') : "")
                      : strdup(host);
  LLVMDisposeMessage(host);
  if (!text)
    return error_set(l->error, ERROR_WORK, "out of memory");
  LLVMSetDataLayout(l->module, text);
  free(text);
  return 0;
}

struct reading {
  struct lowering *l;
  const char *bitcode;
  size_t length;
  bool failed;
};

static int parse(void *user) {
  struct reading *r = user;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(r->bitcode, r->length, "kernel");
  r->failed = LLVMParseBitcodeInContext2(r->l->context, buffer, &r->l->module);
  LLVMDisposeMemoryBuffer(buffer);
  return 0;
}

/* LLVM verifies the module while it reads it. */
int lower_read(struct lowering *l, const char *bitcode, size_t length) {
  struct reading r = {.l = l, .bitcode = bitcode, .length = length};
  LLVMContextSetDiagnosticHandler(l->context, ignore_diagnostic, NULL);
  if (llvm_failure_catch(parse, &r, true, NULL))
    return error_set(
        l->error, ERROR_INPUT,
        "LLVM refuses the program: does an asm label declare one of LLVM's own functions (llvm.*), or with "
        "other types?");
  if (r.failed)
    return error_set(l->error, ERROR_WORK,
                     "LLVM " REASSEMBLE_LLVM_VERSION " cannot read what %s wrote; are the two of the same version?",
                     REASSEMBLE_CLANG);
  return event_types_to_pointers(l->context, &l->module, l->error);
}

int lower_parse(struct lowering *l, const char *bitcode, size_t length, const char *kernel) {
  if (make_machine(l))
    return -1;
  l->thread_safe_context = LLVMOrcCreateNewThreadSafeContext();
  l->context = LLVMOrcThreadSafeContextGetContext(l->thread_safe_context);
  if (lower_read(l, bitcode, length) || reserved_names_refuse(l) || pick_kernel(l, kernel))
    return -1;
  zero_divisors_trap(l);
  l->program->line = subprogram_line(l->kernel);
  l->source_file = source_file_of(l->kernel);
  char *triple = LLVMGetTargetMachineTriple(l->machine);
  LLVMSetTarget(l->module, triple);
  LLVMDisposeMessage(triple);
  return set_layout(l) || parameters_read(l) ? -1 : 0;
}

/* All stages. */

static void release(struct lowering *l) {
  value_map_clear(&l->variables);
  value_map_clear(&l->image_accesses);
  free(l->blocks);
  free(l->division_lines);
  free(l->access_instructions);
  free(l->suspects);
  free(l->loads);
  if (l->module)
    LLVMDisposeModule(l->module);
  if (l->thread_safe_context)
    LLVMOrcDisposeThreadSafeContext(l->thread_safe_context);
  if (l->layout)
    LLVMDisposeTargetData(l->layout);
  if (l->machine)
    LLVMDisposeTargetMachine(l->machine);
}

void lower_dump(LLVMValueRef what, const char *stage) {
  const char *wanted = getenv(
      "REASSEMBLE_DUMP_IR"); /* "optimised", "instrumented", "rows", "obstacle": for people who work on tracegen */
  if (!wanted || strcmp(wanted, stage) != 0)
    return;
  char *text = LLVMPrintValueToString(what);
  fprintf(stderr, "%s\n", text);
  LLVMDisposeMessage(text);
}

/* A second version follows them; the first says whether there have to be two. */
static int undefined_values(struct lowering *l) {
  if (l->program->is_dry_run) {
    lost_loads_keep(l);
    return undefined_values_follow(l);
  }
  return l->record && (l->may_be_undefined || lost_accesses_may_be(l)) ? undefined_values_look(l) : 0;
}

static int run_stages(void *user) {
  struct lowering *l = user;
  if (lower_parse(l, l->bitcode, l->bitcode_length, l->program->name) || recursion_refuse(l) ||
      undefined_variables_find(l) || lost_divisions_prepare(l) || lost_accesses_number(l) || lost_loads_note(l) ||
      builtins_link(l) || aggregates_split(l) || undefined_values(l) || image_calls_resolve(l) || lower_optimise(l) ||
      print_calls_read(l) || lower_memory(l))
    return -1;
  lower_dump(l->kernel, "optimised");
  lost_divisions_find(l);
  large_variables_find(l);
  lost_accesses_find(l);
  lost_loads_find(l);
  if (code_table_build(l) || registers_estimate(l) || undefined_reads_classify(l) || row_source_keep(l) ||
      instrument(l))
    return -1;
  lower_dump(l->kernel, "instrumented");
  haste_decide(l);
  return jit_compile(l);
}

/* By parameter: what the arguments are; a parameter that no argument describes is an image or a sampler all the same
 * (arguments.c will say what is wrong). */
static int copy_opaques(struct kernel_program *program, const struct kernel_opaque *opaques, size_t count) {
  program->opaques = calloc(KERNEL_MAX_PARAMETERS, sizeof *program->opaques);
  if (!program->opaques)
    return -1;
  for (size_t i = 0; i < KERNEL_MAX_PARAMETERS; i++)
    program->opaques[i] = !opaques    ? (struct kernel_opaque){.format = {IMAGE_RGBA, IMAGE_UNORM_INT8}}
                          : i < count ? opaques[i]
                                      : (struct kernel_opaque){0};
  return 0;
}

int kernel_program_create(const char *bitcode, size_t length, const char *source, const char *name,
                          const struct kernel_opaque *opaques, size_t opaque_count, struct arena *arena,
                          struct kernel_purpose purpose, struct kernel_program **out, struct error *error) {
  struct kernel_program *program = calloc(1, sizeof *program);
  if (!program || !(program->name = strdup(name)) || !(program->source = strdup(source)) ||
      copy_opaques(program, opaques, opaque_count)) {
    kernel_program_destroy(program);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  program->records = purpose.records;
  program->tracks_buffers = purpose.tracks_buffers;
  program->is_dry_run = purpose.original != NULL;
  struct lowering l = {.program = program,
                       .arena = arena,
                       .original = purpose.original,
                       .record = purpose.records,
                       .tracks_buffers = purpose.tracks_buffers,
                       .purpose = purpose,
                       .bitcode = bitcode,
                       .bitcode_length = length,
                       .error = error};
  const int status = llvm_failure_catch(run_stages, &l, false, error);
  if (status != LLVM_FAILED) /* which leaves nothing that could be released */
    release(&l);
  if (status) {
    kernel_program_destroy(program);
    return -1;
  }
  *out = program;
  return 0;
}

bool kernel_program_fits(const struct kernel_program *program, const struct kernel_opaque *opaques, size_t count) {
  static const struct kernel_opaque none;
  for (uint32_t i = 0; i < program->parameter_count; i++)
    if (memcmp(&program->opaques[i], i < count ? &opaques[i] : &none, sizeof none) != 0)
      return false;
  return true;
}

static void clear_variables(struct kernel_variables *v) {
  for (uint32_t i = 0; i < v->count; i++)
    free(v->list[i].name);
  free(v->list);
}

void kernel_program_destroy(struct kernel_program *program) {
  if (!program)
    return;
  kernel_simd_destroy(program->simd);
  if (program->jit)
    jit_destroy(program->jit);
  for (uint32_t i = 0; i < program->parameter_count; i++) {
    free(program->parameters[i].name);
    free(program->parameters[i].type_name);
  }
  for (uint32_t i = 0; i < program->print_count; i++) {
    print_format_clear(&program->prints[i].format);
    free(program->prints[i].values);
  }
  free(program->prints);
  free(program->image_calls);
  free(program->opaques);
  clear_variables(&program->locals);
  clear_variables(&program->constants);
  clear_variables(&program->privates);
  clear_variables(&program->undefined);
  clear_variables(&program->elided_accesses);
  for (uint32_t i = 0; program->ir && i < program->code.op_count; i++)
    free(program->ir[i]);
  free(program->ir);
  trace_code_clear(&program->code);
  free(program->parameters);
  free(program->accesses);
  free(program->counted_ops);
  free(program->elided_division_lines);
  free(program->name);
  free(program->source);
  free(program);
}
