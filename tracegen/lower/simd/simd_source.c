/* The optimised kernel, kept as a module of its own until a launch is long enough for a function that runs rows
 * (simd.h): most launches are not, and never pay for it. */
#include "tracegen/lower/simd/simd.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/abi/phases.h"

struct simd_source {
  LLVMOrcThreadSafeModuleRef module; /* owns lowering.module */
  struct lowering lowering;
};

/* Program-scope constants, as in instrument.c. */
static void place_constant(const struct lowering *l, LLVMValueRef global, uint32_t index) {
  const uint64_t address = (uintptr_t)l->arena->base + l->program->constants.list[index].offset;
  LLVMValueRef number = LLVMConstInt(LLVMInt64TypeInContext(l->context), address, false);
  LLVMReplaceAllUsesWith(global, LLVMConstIntToPtr(number, LLVMTypeOf(global)));
  LLVMDeleteGlobal(global);
}

/* What the kernel does not use keeps its place in the module, and must not clash with the original. */
static void hide_unused(LLVMValueRef global) {
  if (LLVMGetInitializer(global))
    LLVMSetLinkage(global, LLVMPrivateLinkage);
}

/* A copy of a module holds everything in the order of the original. */
static bool place_globals(const struct lowering *from, struct lowering *to) {
  LLVMValueRef copy = LLVMGetFirstGlobal(to->module);
  bool whole = true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(from->module), next; g; g = LLVMGetNextGlobal(g), copy = next) {
    uint32_t packed;
    next = LLVMGetNextGlobal(copy);
    if (!value_map_get(&from->variables, g, &packed))
      hide_unused(copy);
    else if (packed >> 24 == ROOT_LOCAL)
      whole &= value_map_put(&to->variables, copy, packed);
    else
      place_constant(to, copy, packed & 0xffffff);
  }
  return whole;
}

static bool find_copies(const struct lowering *from, struct lowering *to) {
  const struct trace_code *code = &from->program->code;
  struct value_map blocks = {0}, accesses = {0};
  bool whole = true;
  uint32_t k;
  for (uint32_t id = 0; id < code->block_count; id++)
    whole &= value_map_put(&blocks, from->blocks[id], id);
  for (uint32_t id = 0; id < code->mem_count; id++)
    whole &= value_map_put(&accesses, from->access_instructions[id], id);
  LLVMBasicBlockRef copy = LLVMGetFirstBasicBlock(to->kernel);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from->kernel); whole && b;
       b = LLVMGetNextBasicBlock(b), copy = LLVMGetNextBasicBlock(copy)) {
    if (value_map_get(&blocks, b, &k))
      to->blocks[k] = copy;
    LLVMValueRef i = LLVMGetFirstInstruction(b), j = LLVMGetFirstInstruction(copy);
    for (; i; i = LLVMGetNextInstruction(i), j = LLVMGetNextInstruction(j))
      if (value_map_get(&accesses, i, &k))
        to->access_instructions[k] = j;
  }
  value_map_clear(&blocks);
  value_map_clear(&accesses);
  return whole;
}

static void destroy(struct simd_source *s) {
  if (s->module)
    LLVMOrcDisposeThreadSafeModule(s->module);
  if (s->lowering.layout)
    LLVMDisposeTargetData(s->lowering.layout);
  free(s->lowering.blocks);
  free(s->lowering.access_instructions);
  value_map_clear(&s->lowering.variables);
  free(s);
}

static struct simd_source *copy_kernel(const struct lowering *l) {
  const struct trace_code *code = &l->program->code;
  struct simd_source *s = calloc(1, sizeof *s);
  size_t length;
  if (!s)
    return NULL;
  struct lowering *to = &s->lowering;
  *to = (struct lowering){
      .context = l->context, .program = l->program, .arena = l->arena, .source_file = l->source_file, .record = true};
  to->blocks = calloc(code->block_count, sizeof(LLVMBasicBlockRef));
  to->access_instructions = calloc((size_t)code->mem_count + 1, sizeof(LLVMValueRef));
  char *layout = LLVMCopyStringRepOfTargetData(l->layout);
  to->layout = LLVMCreateTargetData(layout);
  LLVMDisposeMessage(layout);
  to->module = LLVMCloneModule(l->module);
  s->module = LLVMOrcCreateNewThreadSafeModule(to->module, l->thread_safe_context);
  to->kernel = LLVMGetNamedFunction(to->module, LLVMGetValueName2(l->kernel, &length));
  if (!to->blocks || !to->access_instructions || !to->kernel || !find_copies(l, to) || !place_globals(l, to)) {
    destroy(s);
    return NULL;
  }
  return s;
}

int row_source_keep(struct lowering *l) {
  struct row_values values;
  bool fits = false;
  if (!l->record || l->tracks_buffers)
    return 0;
  if (row_values_find(l, &values))
    return -1;
  const int status = row_fits(&values, &fits);
  row_values_clear(&values);
  if (status || !fits)
    return status;
  struct kernel_simd *rows = calloc(1, sizeof *rows);
  l->program->simd = rows;
  if (!rows || !(rows->steps = calloc((size_t)l->program->code.op_count + 1, sizeof *rows->steps)) ||
      !(rows->source = copy_kernel(l)))
    return error_set(l->error, ERROR_WORK, "out of memory");
  rows->shadowed = true; /* what is copied is remembered for one work-item at a time */
  for (uint32_t k = 0; k < l->program->code.mem_count; k++)
    rows->shadowed &= l->program->accesses[k].read == READ_IGNORED || l->program->accesses[k].read == READ_ELEMENTS;
  return 0;
}

/* The JIT takes the module in any case. */
static int compile(struct simd_source *s, struct kernel_simd *rows, struct error *error) {
  struct lowering *l = &s->lowering;
  struct row_values values;
  l->error = error;
  if (row_values_find(l, &values))
    return -1;
  const int status = row_code_write(l, &values, "reassemble.row", rows->steps);
  row_values_clear(&values);
  if (status)
    return -1;
  lower_dump(l->kernel, "rows");
  phase_mark("code for rows");
  LLVMOrcThreadSafeModuleRef module = s->module;
  s->module = NULL;
  return jit_add(l, module, "reassemble.row", &rows->entry);
}

int kernel_simd_compile(struct kernel_simd *rows, struct error *error) {
  if (!rows->source)
    return 0;
  struct simd_source *s = rows->source;
  rows->source = NULL;
  phase_mark(NULL);
  const int status = compile(s, rows, error);
  destroy(s);
  return status;
}

void kernel_simd_destroy(struct kernel_simd *rows) {
  if (!rows)
    return;
  if (rows->source)
    destroy(rows->source);
  free(rows->steps);
  free(rows);
}
