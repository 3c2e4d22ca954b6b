/* Makes a kernel_program of bitcode: opens the module, runs the table of passes (passes.c) and keeps the result. */
#include "tracegen/abi/kernel_abi.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/abi/phases.h"
#include "tracegen/lower/codegen/codegen.h"
#include "tracegen/lower/codegen/native_image.h"
#include "tracegen/lower/ir/llvm_failure.h"
#include "tracegen/lower/ir/lowering.h"
#include "tracegen/lower/kept_program.h"
#include "tracegen/lower/open_module.h"
#include "tracegen/lower/passes.h"

static void release(struct lowering *l) {
  value_map_clear(&l->variables);
  value_map_clear(&l->image_accesses);
  value_map_clear(&l->collectives);
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

/* A program that is asked for. */
struct request {
  const char *bitcode;
  size_t length;
  const char *source, *name;
  const struct kernel_opaque *opaques;
  size_t opaque_count;
  struct arena *arena;
  struct kernel_purpose purpose;
};

/* The work on a program, which LLVM may end with a fatal error. */
struct work {
  const struct request *request;
  struct bytes key; /* of what is kept; no data: nothing is */
  struct lowering l;
};

static int compile(void *user) {
  struct work *w = user;
  const struct request *r = w->request;
  if (open_module(&w->l, r->bitcode, r->length, r->name) || passes_run(&w->l))
    return -1;
  if (!w->key.data)
    return 0;
  if (w->l.program->simd && r->purpose.keeps_simd && native_image_is_possible())
    return kept_program_save_with_simd(&w->l, &w->key);
  kept_program_save(&w->l, &w->key, NULL);
  return 0;
}

static int load(void *user) {
  struct work *w = user;
  if (!w->key.data || !kept_program_load(&w->l, &w->key))
    return -1;
  w->l.program->was_kept = true;
  phase_mark("reading the kept program");
  return 0;
}

/* Returns a program of which nothing but the request is known; NULL: out of memory. */
static struct kernel_program *new_program(const struct request *r) {
  struct kernel_program *program = calloc(1, sizeof *program);
  if (!program || !(program->name = strdup(r->name)) || !(program->source = strdup(r->source)) ||
      copy_opaques(program, r->opaques, r->opaque_count)) {
    kernel_program_destroy(program);
    return NULL;
  }
  program->records = r->purpose.records;
  program->reads_zero = r->purpose.reads_zero;
  program->tracks_buffers = r->purpose.tracks_buffers;
  program->is_dry_run = r->purpose.original != NULL;
  return program;
}

/* Works on a program. LLVM is loaded for a compilation; the work that loads what is kept seldom needs it. */
static int run(llvm_work *todo, struct work *work, struct error *error) {
  if (todo == load)
    return load(work);
  return llvm_failure_catch(todo, work, false, error);
}

/* Makes the program by compiling it, or by loading what is kept. Returns what `todo` returns. */
static int make(llvm_work *todo, const struct request *r, struct kernel_program **out, struct error *error) {
  struct bytes object = {0};
  struct kernel_program *program = new_program(r);
  struct work work = {.request = r,
                      .l = {.program = program, .arena = r->arena, .purpose = r->purpose, .error = error}};
  if (!program)
    return error_no_memory(error);
  if (kept_program_key(&work.l, r->bitcode, r->length, &work.key))
    work.l.object = &object;
  const int status = run(todo, &work, error);
  if (status != LLVM_FAILED) /* after which nothing can be released */
    release(&work.l);
  bytes_clear(&work.key);
  bytes_clear(&object);
  if (status)
    kernel_program_destroy(program);
  else
    *out = program;
  return status;
}

int kernel_program_create(const char *bitcode, size_t length, const char *source, const char *name,
                          const struct kernel_opaque *opaques, size_t opaque_count, struct arena *arena,
                          struct kernel_purpose purpose, struct kernel_program **out, struct error *error) {
  const struct request r = {bitcode, length, source, name, opaques, opaque_count, arena, purpose};
  struct error not_kept = ERROR_INIT;
  if (purpose.kept && make(load, &r, out, &not_kept) == 0)
    return 0;
  return make(compile, &r, out, error) ? -1 : 0;
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
  native_image_destroy(program->image);
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
