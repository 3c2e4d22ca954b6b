#include "tracegen/run/independent_groups.h"

static bool is_global(const struct trace_op *op) {
  return op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT;
}

/* Returns whether two accesses may be to the same buffer. */
static bool may_meet(const struct workload_launch *launch, const struct kernel_access *a,
                     const struct kernel_access *b) {
  return a->root.kind != ROOT_ARGUMENT || b->root.kind != ROOT_ARGUMENT ||
         launch->arguments[a->root.index].buffer == launch->arguments[b->root.index].buffer;
}

static bool is_loaded_too(const struct workload_launch *launch, const struct kernel_program *program,
                          const struct kernel_access *atomic) {
  for (uint32_t i = 0; i < program->code.mem_count; i++) {
    const struct kernel_access *access = &program->accesses[i];
    const struct trace_op *op = &program->code.ops[access->op];
    if (op->op_class == OP_LOAD && is_global(op) && may_meet(launch, atomic, access))
      return true;
  }
  return false;
}

static int refuse(const struct workload *workload, const struct kernel_program *program, const struct trace_op *op,
                  const char *why, struct error *error) {
  return error_at(error, ERROR_INPUT, program->source, op->line, 0, NULL,
                  "kernel %s of %s: work-groups depend on each other by an atomic operation on global memory, %s; "
                  "trace the whole launch, without a choice of groups",
                  program->name, workload->name ? workload->name : "the launch", why);
}

int independent_groups_check(const struct workload *workload, const struct workload_launch *launch,
                             const struct kernel_program *program, struct error *error) {
  for (uint32_t i = 0; i < program->code.mem_count; i++) {
    const struct kernel_access *access = &program->accesses[i];
    const struct trace_op *op = &program->code.ops[access->op];
    if (op->op_class != OP_ATOMIC || op->space == SPACE_LOCAL)
      continue;
    if (op->first_use != TRACE_NO_OP)
      return refuse(workload, program, op, "whose result is used", error);
    if (is_loaded_too(launch, program, access))
      return refuse(workload, program, op, "whose buffer is loaded from as well", error);
  }
  return 0;
}
