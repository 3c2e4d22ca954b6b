/* Keeps a copy of the optimised kernel as a module of its own, until a launch is long enough for SIMD groups. Most
 * launches are not, and never compile it. */
#include "tracegen/lower/simd/simd_source.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitWriter.h>

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/abi/phases.h"
#include "tracegen/lower/codegen/codegen.h"
#include "tracegen/lower/codegen/native_image.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/read_bitcode.h"
#include "tracegen/lower/ir/source_line.h"
#include "tracegen/lower/ir/variables.h"
#include "tracegen/lower/simd/simd.h"

struct simd_source {
  LLVMOrcThreadSafeModuleRef module; /* owns lowering.module */
  struct lowering lowering;
};

/* Replaces a program-scope constant by its address, as instrument.c does. */
static void place_constant(const struct lowering *l, LLVMValueRef global, uint32_t index) {
  const uint64_t address = (uintptr_t)l->arena->base + l->program->constants.list[index].offset;
  LLVMValueRef number = LLVMConstInt(LLVMInt64TypeInContext(l->context), address, false);
  LLVMReplaceAllUsesWith(global, LLVMConstIntToPtr(number, LLVMTypeOf(global)));
  LLVMDeleteGlobal(global);
}

/* A global that the kernel does not use stays in the module, and must not collide with the original's. */
static void hide_unused(LLVMValueRef global) {
  if (LLVMGetInitializer(global))
    LLVMSetLinkage(global, LLVMPrivateLinkage);
}

/* A cloned module holds everything in the order of the original. */
static bool place_globals(const struct lowering *from, struct lowering *to) {
  LLVMValueRef copy = LLVMGetFirstGlobal(to->module);
  bool whole = true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(from->module), next; g; g = LLVMGetNextGlobal(g), copy = next) {
    struct placed_variable place;
    next = LLVMGetNextGlobal(copy);
    if (!variable_find(&from->variables, g, &place))
      hide_unused(copy);
    else if (place.kind == ROOT_LOCAL)
      whole &= variable_place(&to->variables, copy, place);
    else
      place_constant(to, copy, place.index);
  }
  return whole;
}

/* Finds the blocks and accesses of the copy; accesses are in the order of their instructions. */
static void find_copies(const struct lowering *from, struct lowering *to) {
  uint32_t k = 0;
  LLVMGetBasicBlocks(to->kernel, to->blocks);
  for (LLVMValueRef i = ir_first(from->kernel), copy = ir_first(to->kernel); i; i = ir_next(i), copy = ir_next(copy))
    if (k < from->program->code.mem_count && from->access_instructions[k] == i)
      to->access_instructions[k++] = copy;
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

/* Returns false when there is no memory. */
static bool copy_layout(const struct lowering *from, struct lowering *to) {
  char *layout = LLVMCopyStringRepOfTargetData(from->layout);
  if (layout)
    to->layout = LLVMCreateTargetData(layout);
  LLVMDisposeMessage(layout);
  return to->layout;
}

static struct simd_source *copy_kernel(const struct lowering *l) {
  const struct trace_code *code = &l->program->code;
  struct simd_source *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  struct lowering *to = &s->lowering;
  *to = (struct lowering){.context = l->context,
                          .program = l->program,
                          .arena = l->arena,
                          .source_file = l->source_file,
                          .purpose = {.records = true}};
  to->blocks = calloc(code->block_count, sizeof(LLVMBasicBlockRef));
  to->access_instructions = calloc((size_t)code->mem_count + 1, sizeof(LLVMValueRef));
  if (!copy_layout(l, to)) {
    destroy(s);
    return NULL;
  }
  to->module = LLVMCloneModule(l->module);
  s->module = LLVMOrcCreateNewThreadSafeModule(to->module, l->thread_safe_context);
  to->kernel = LLVMGetNamedFunction(to->module, ir_name(l->kernel));
  if (to->blocks && to->access_instructions && to->kernel && place_globals(l, to)) {
    find_copies(l, to);
    return s;
  }
  destroy(s);
  return NULL;
}

int simd_source_keep(struct lowering *l) {
  struct simd_values values;
  bool fits = false;
  if (simd_values_find(l, &values))
    return -1;
  const int status = simd_is_eligible(&values, &fits);
  simd_values_clear(&values);
  if (status || !fits)
    return status;
  struct kernel_simd *simd = l->program->simd = calloc(1, sizeof *simd);
  if (!simd || !(simd->steps = calloc((size_t)l->program->code.op_count + 1, sizeof *simd->steps)) ||
      !(simd->source = copy_kernel(l)))
    return lower_no_memory(l);
  simd->shadowed = true; /* the emulator remembers a copied value for one work-item at a time */
  for (uint32_t k = 0; k < l->program->code.mem_count; k++)
    simd->shadowed &= l->program->accesses[k].read == READ_IGNORED || l->program->accesses[k].read == READ_ELEMENTS;
  return 0;
}

/* Copies on disk: the module as bitcode; of its globals, where the placed ones are; of its instructions, which are the
 * accesses. Bitcode keeps the order of all of them. */

static void write_places(const struct lowering *l, struct bytes *out) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
    struct placed_variable place;
    const bool placed = variable_find(&l->variables, g, &place);
    bytes_varint(out, placed ? 1 + (uint64_t)place.index : 0);
  }
}

static void write_accesses(const struct lowering *l, struct bytes *out) {
  uint64_t number = 0;
  uint32_t k = 0;
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i), number++)
    if (k < l->program->code.mem_count && l->access_instructions[k] == i) {
      bytes_varint(out, number);
      k++;
    }
}

void simd_source_write(const struct kernel_simd *simd, struct bytes *out) {
  const struct lowering *l = &simd->source->lowering;
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(l->module);
  if (!bitcode) { /* LLVM had no memory */
    out->failed = true;
    return;
  }
  bytes_varint(out, simd->shadowed);
  bytes_varint(out, LLVMGetBufferSize(bitcode));
  bytes_append(out, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
  LLVMDisposeMemoryBuffer(bitcode);
  write_places(l, out);
  write_accesses(l, out);
}

/* Static local arrays are all that is placed: a program with constants is not kept. */
static bool read_places(struct lowering *l, struct byte_reader *in) {
  bool whole = true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
    const uint64_t index = take_at_most(in, l->program->locals.count);
    if (index > 0)
      whole &= variable_place(&l->variables, g, (struct placed_variable){ROOT_LOCAL, (uint32_t)index - 1});
  }
  return whole && !in->bad;
}

static bool read_accesses(struct lowering *l, struct byte_reader *in) {
  LLVMValueRef i = ir_first(l->kernel);
  uint64_t number = 0;
  for (uint32_t k = 0; k < l->program->code.mem_count; k++) {
    const uint64_t wanted = take_varint(in);
    for (; i && number < wanted; number++)
      i = ir_next(i);
    if (!i || number != wanted)
      return false;
    l->access_instructions[k] = i;
  }
  return !in->bad;
}

static bool read_module(struct lowering *l, struct byte_reader *in) {
  const uint64_t length = take_at_most(in, reader_left(in));
  struct error *const error = l->error;
  struct error ignored = ERROR_INIT;
  l->error = &ignored;
  const int status = in->bad ? -1 : lower_read(l, (const char *)in->at, length);
  l->error = error;
  in->at += length;
  l->kernel = status ? NULL : LLVMGetNamedFunction(l->module, l->program->name);
  l->source_file = l->kernel ? source_file_of(l->kernel) : NULL;
  return l->kernel && LLVMCountBasicBlocks(l->kernel) == l->program->code.block_count;
}

static bool read_source(struct lowering *from, struct simd_source *s, struct byte_reader *in) {
  const struct trace_code *code = &from->program->code;
  struct lowering *to = &s->lowering;
  *to = (struct lowering){
      .context = from->context, .program = from->program, .arena = from->arena, .purpose = {.records = true}};
  to->blocks = calloc((size_t)code->block_count + 1, sizeof(LLVMBasicBlockRef));
  to->access_instructions = calloc((size_t)code->mem_count + 1, sizeof(LLVMValueRef));
  const bool whole = copy_layout(from, to) && read_module(to, in) && to->blocks && to->access_instructions;
  if (to->module)
    s->module = LLVMOrcCreateNewThreadSafeModule(to->module, from->thread_safe_context);
  if (whole)
    LLVMGetBasicBlocks(to->kernel, to->blocks);
  return whole && read_places(to, in) && read_accesses(to, in);
}

int simd_source_read(struct lowering *l, struct byte_reader *in) {
  struct kernel_simd *simd = l->program->simd = calloc(1, sizeof *simd);
  if (!simd || !(simd->steps = calloc((size_t)l->program->code.op_count + 1, sizeof *simd->steps)) ||
      !(simd->source = calloc(1, sizeof *simd->source)))
    return -1;
  simd->shadowed = take_at_most(in, 1);
  return read_source(l, simd->source, in) ? 0 : -1;
}

/* The JIT takes over the module in every case. */
static int compile(struct simd_source *s, struct kernel_simd *simd, struct error *error) {
  struct lowering *l = &s->lowering;
  struct simd_values values;
  l->error = error;
  if (simd_values_find(l, &values))
    return -1;
  const int status = simd_code_write(l, &values, SIMD_NAME, simd->steps);
  simd_values_clear(&values);
  if (status)
    return -1;
  lower_dump(l->kernel, "simd");
  phase_mark("code for SIMD groups");
  LLVMOrcThreadSafeModuleRef module = s->module;
  s->module = NULL;
  return jit_add(l, module, SIMD_NAME, &simd->entry);
}

int kernel_simd_compile(struct kernel_simd *simd, struct error *error) {
  if (simd->ready)
    simd->entry = simd->ready;
  if (!simd->source)
    return 0;
  struct simd_source *s = simd->source;
  simd->source = NULL;
  phase_mark(NULL);
  const int status = compile(s, simd, error);
  destroy(s);
  return status;
}

int simd_source_compile_into(struct kernel_simd *simd, struct bytes *object, struct error *error) {
  simd->source->lowering.object = object;
  const int status = kernel_simd_compile(simd, error);
  simd->ready = simd->entry;
  simd->entry = NULL;
  return status;
}

void kernel_simd_destroy(struct kernel_simd *simd) {
  if (!simd)
    return;
  if (simd->source)
    destroy(simd->source);
  native_image_destroy(simd->image);
  free(simd->steps);
  free(simd);
}
