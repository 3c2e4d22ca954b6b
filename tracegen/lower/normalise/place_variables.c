/* Places of variables: private ones in a work-item's private memory, local ones in the work-group's local memory,
 * program-scope constants in the arena. */
#include <stdio.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/source_line.h"
#include "tracegen/lower/ir/variables.h"
#include "tracegen/lower/normalise/normalise.h"

#define VARIABLE_ALIGNMENT 16
/* Bounds of what one launch can ask of the host, far above what GPUs have. */
#define MOST_PRIVATE_VARIABLE (1u << 20)
#define MOST_PRIVATE          (1u << 24)
#define MOST_LOCAL            (1u << 24)
#define MOST_CONSTANT         (1u << 27) /* LLVM takes several times as much to make an object file of them */

static uint32_t align_up(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static int add_variable(struct lowering *l, struct kernel_variables *to, LLVMValueRef variable, const char *name,
                        enum root_kind kind, uint64_t bytes, uint32_t alignment) {
  if (!variable_place(&l->variables, variable, (struct placed_variable){kind, to->count}) ||
      kernel_variable_add(to, name, bytes, alignment < VARIABLE_ALIGNMENT ? VARIABLE_ALIGNMENT : alignment))
    return lower_no_memory(l);
  return 0;
}

/* Returns the first line that uses the variable; 0: unknown. Calls do not count: they mark its lifetime. */
static unsigned line_of_use(struct lowering *l, LLVMValueRef variable) {
  unsigned first = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || LLVMIsACallInst(user))
      continue;
    unsigned line = source_line(l, user);
    if (!line && LLVMIsAGetElementPtrInst(user))
      line = line_of_use(l, user);
    if (line && (!first || line < first))
      first = line;
  }
  return first;
}

/* Writes the name of a variable in the source, without the suffix that inlining and the splitting of structures put
 * behind a dot. */
static void private_name(struct lowering *l, LLVMValueRef variable, char *name, size_t size) {
  const char *full = *ir_name(variable) ? ir_name(variable) : variable_name_of(l, variable);
  const int stem = (int)strcspn(full, ".");
  snprintf(name, size, "%.*s", stem ? stem : (int)size, stem ? full : "(private array)");
}

static int place_private(struct lowering *l, LLVMValueRef variable, uint64_t bytes, uint32_t *used) {
  char name[64];
  private_name(l, variable, name, sizeof name);
  const unsigned line = line_of_use(l, variable);
  if (bytes > MOST_PRIVATE_VARIABLE || *used + bytes > MOST_PRIVATE)
    return error_at(l->error, ERROR_WORK, l->program->source, line, 0, NULL,
                    "kernel %s: private variable \"%s\" takes %llu bytes, and those before it %u; a work-item may have "
                    "%u bytes in one variable and %u in all",
                    l->program->name, name, (unsigned long long)bytes, *used, MOST_PRIVATE_VARIABLE, MOST_PRIVATE);
  if (add_variable(l, &l->program->privates, variable, name, ROOT_PRIVATE, bytes, LLVMGetAlignment(variable)))
    return -1;
  struct kernel_variable *v = &l->program->privates.list[l->program->privates.count - 1];
  v->line = line;
  v->offset = align_up(*used, v->alignment);
  *used = v->offset + (uint32_t)v->bytes;
  return 0;
}

static int place_privates(struct lowering *l) {
  uint32_t used = 0;
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i)) {
    if (!LLVMIsAAllocaInst(i))
      continue;
    const uint64_t bytes = LLVMABISizeOfType(l->layout, LLVMGetAllocatedType(i));
    LLVMValueRef count = LLVMGetOperand(i, 0);
    if (!LLVMIsAConstantInt(count) || LLVMGetInstructionParent(i) != LLVMGetEntryBasicBlock(l->kernel))
      return lower_error(l, i, "arrays of variable length are not supported (OpenCL C, 6.9.d)");
    const uint64_t elements = LLVMConstIntGetZExtValue(count);
    const uint64_t total = bytes && elements > UINT64_MAX / bytes ? UINT64_MAX : bytes * elements;
    if (place_private(l, i, total, &used))
      return -1;
  }
  l->program->private_bytes = align_up(used, PRIVATE_ALIGNMENT);
  return 0;
}

/* Returns whether an instruction of the kernel uses `value`, directly or through constant expressions. */
static bool used_by_kernel(struct lowering *l, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == l->kernel
                                 : LLVMIsAConstant(user) && used_by_kernel(l, user))
      return true;
  }
  return false;
}

/* Returns the bytes of the constants that are placed. */
static uint64_t constant_bytes(const struct kernel_variables *constants) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < constants->count; i++)
    bytes += constants->list[i].bytes;
  return bytes;
}

static int refuse_constant(struct lowering *l, LLVMValueRef g, uint64_t bytes) {
  return error_at(
      l->error, ERROR_WORK, l->program->source, line_of_use(l, g), 0, NULL,
      "kernel %s: constant variable \"%s\" takes %llu bytes, and those before it %llu; a kernel may have %u "
      "bytes of program-scope constants: give such a table to it as a buffer",
      l->program->name, ir_name(g), (unsigned long long)bytes,
      (unsigned long long)constant_bytes(&l->program->constants), MOST_CONSTANT);
}

static int place_global(struct lowering *l, LLVMValueRef g) {
  struct kernel_program *program = l->program;
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
  const uint64_t bytes = LLVMABISizeOfType(l->layout, LLVMGlobalGetValueType(g));
  if (space == IR_LOCAL) {
    if (bytes > MOST_LOCAL || program->local_bytes + bytes > MOST_LOCAL)
      return error_at(
          l->error, ERROR_WORK, program->source, program->line, 0, NULL,
          "kernel %s: local variable \"%s\" takes %llu bytes, and those before it %u; a work-group may have "
          "%u bytes",
          program->name, ir_name(g), (unsigned long long)bytes, program->local_bytes, MOST_LOCAL);
    if (add_variable(l, &program->locals, g, ir_name(g), ROOT_LOCAL, bytes, LLVMGetAlignment(g)))
      return -1;
    struct kernel_variable *v = &program->locals.list[program->locals.count - 1];
    v->offset = align_up(program->local_bytes, v->alignment);
    program->local_bytes = v->offset + (uint32_t)bytes;
    return 0;
  }
  if (!LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g))
    return lower_error(l, NULL, "program-scope variable %s is not supported; expected a __constant one", ir_name(g));
  if (bytes > MOST_CONSTANT || bytes + constant_bytes(&program->constants) > MOST_CONSTANT)
    return refuse_constant(l, g, bytes);
  if (add_variable(l, &program->constants, g, ir_name(g), ROOT_CONSTANT, bytes, ARENA_PAGE))
    return -1;
  struct kernel_variable *v = &program->constants.list[program->constants.count - 1];
  for (uint32_t i = 0; l->purpose.original && i < l->purpose.original->constants.count; i++)
    if (strcmp(l->purpose.original->constants.list[i].name, v->name) == 0) {
      v->offset = l->purpose.original->constants.list[i].offset;
      return 0;
    }
  if (arena_place(l->arena, v->name, bytes, &v->offset, l->error))
    return -1;
  l->arena->regions[l->arena->region_count - 1].is_constant = true;
  return 0;
}

static int place_globals(struct lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
    if (used_by_kernel(l, g) && place_global(l, g))
      return -1;
  return 0;
}

int variables_place(struct lowering *l) {
  return place_privates(l) || place_globals(l) ? -1 : 0;
}
