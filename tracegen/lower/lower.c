/* Makes a kernel_program of bitcode: opens the module, runs the table of passes (passes.c) and keeps the result. */
#include "tracegen/abi/kernel_abi.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/lower/codegen/codegen.h"
#include "tracegen/lower/ir/llvm_failure.h"
#include "tracegen/lower/ir/lowering.h"
#include "tracegen/lower/open_module.h"
#include "tracegen/lower/passes.h"

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

/* Copies what the launch's arguments are, one entry for each parameter. A parameter without an argument counts as an
 * image or a sampler of the plainest kind; arguments.c reports the missing argument. */
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

struct work {
  struct lowering *l;
  const char *bitcode;
  size_t length;
};

static int open_and_run(void *user) {
  const struct work *w = user;
  return open_module(w->l, w->bitcode, w->length, w->l->program->name) || passes_run(w->l) ? -1 : 0;
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
  program->reads_zero = purpose.reads_zero;
  program->tracks_buffers = purpose.tracks_buffers;
  program->is_dry_run = purpose.original != NULL;
  struct lowering l = {.program = program, .arena = arena, .purpose = purpose, .error = error};
  struct work work = {.l = &l, .bitcode = bitcode, .length = length};
  const int status = llvm_failure_catch(open_and_run, &work, false, error);
  if (status != LLVM_FAILED) /* after which nothing can be released */
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
