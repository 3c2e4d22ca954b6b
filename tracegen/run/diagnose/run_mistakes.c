/* What a kernel did wrong: bad accesses, undefined values and behaviour. */
#include "tracegen/run/generated_numbers.h"
#include "tracegen/run/group_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An item with a stack of its own goes back to the caller's first: there is room there, and tools that know one stack
 * (sanitizers) are not misled. Never returns. */
void group_run_fail(struct group_run *run, const struct error *error) {
  struct stack_context abandoned;
  if (run->request->print)
    printed_flush(&run->printed, run->request->print);
  if (!run->on_item_stack)
    run->request->fail(run->request->user, error);
  run->mistake = *error;
  stack_switch(&abandoned, &run->main_stack);
}

static const char *item_name(const struct item_context *item, char *buffer, size_t size) {
  const uint64_t *id = item->query[QUERY_GLOBAL_ID];
  snprintf(buffer, size, "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", id[0], id[1], id[2]);
  return buffer;
}

static void describe_region(const struct group_run *run, const struct kernel_access *access, uint64_t address,
                            char *text, size_t size, int64_t *offset, uint64_t *bytes) {
  const struct kernel_program *program = run->program;
  const struct arena *arena = run->request->arena;
  const uint32_t i = access->root.index;
  const struct kernel_variable *v = NULL;
  uint64_t base = 0;
  switch ((enum root_kind)access->root.kind) {
  case ROOT_ARGUMENT: {
    const struct workload_argument *argument = &run->request->launch->arguments[i];
    uint64_t pointer;
    memcpy(&pointer, run->request->arguments[i].value, sizeof pointer);
    *offset = (int64_t)(address - pointer);
    *bytes = run->request->arguments[i].bytes;
    snprintf(text, size, "%s \"%s\" (argument %u, %s)", argument->kind == ARGUMENT_LOCAL ? "local memory" : "buffer",
             argument->kind == ARGUMENT_LOCAL ? program->parameters[i].name : arena->regions[argument->buffer].name,
             i + 1, program->parameters[i].name);
    return;
  }
  case ROOT_LOCAL:
    v = &program->locals.list[i];
    base = (uintptr_t)run->request->local_memory;
    break;
  case ROOT_CONSTANT:
    v = &program->constants.list[i];
    base = (uintptr_t)arena->base;
    break;
  case ROOT_PRIVATE:
    v = &program->privates.list[i];
    break;
  case ROOT_UNKNOWN:
    *offset = 0;
    *bytes = 0;
    snprintf(text, size, "any buffer");
    return;
  }
  *offset = (int64_t)(address - base - v->offset);
  *bytes = v->bytes;
  snprintf(text, size, "%s variable \"%s\"", trace_space_name((enum trace_space)access->root.space), v->name);
}

/* What the optimiser made of several lines has none: then it is that of the operation before. */
static unsigned line_of(const struct kernel_program *program, uint32_t op) {
  const struct trace_op *ops = program->code.ops;
  while (op > 0 && !ops[op].line)
    op--;
  return ops[op].line ? ops[op].line : program->line;
}

static bool is_misaligned(const struct kernel_access *access, uint64_t address) {
  return address % access->alignment != 0;
}

static const char *alignment_rule(const struct trace_op *op) {
  return op->width > 1 ? "; whole vectors lie at multiples of their size, vloadn and vstoren take any place"
                       : "; values lie at multiples of their size";
}

static void tell_rehearsal(const struct item_context *item) {
  if (item->run->request->rehearsed)
    *item->run->request->rehearsed = true;
}

static void null_pointer(struct item_context *item, const struct kernel_access *access, unsigned line,
                         const char *verb) {
  char what[100];
  snprintf(what, sizeof what, "%s of %" PRIu32 " bytes of %s memory through a null pointer", verb, access->bytes,
           trace_space_name((enum trace_space)access->root.space));
  group_run_mistake(item, line, what);
}

static bool is_of_null_argument(const struct group_run *run, const struct pointer_root *root) {
  return root->kind == ROOT_ARGUMENT && run->request->launch->arguments[root->index].kind == ARGUMENT_NULL;
}

void emulation_bad_access(struct item_context *item, uint64_t index, uint64_t address) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  const bool misaligned = is_misaligned(access, address);
  const struct trace_op *op = &run->program->code.ops[access->op];
  static const char *const verbs[] = {[OP_LOAD] = "load", [OP_STORE] = "store", [OP_ATOMIC] = "atomic operation"};
  char who[80], what[300];
  int64_t offset;
  uint64_t bytes;
  struct error error = ERROR_INIT;
  tell_rehearsal(item);
  if (address < ARENA_PAGE || is_of_null_argument(run, &access->root)) /* nothing is ever there */
    null_pointer(item, access, line_of(run->program, access->op), verbs[op->op_class]);
  if (access->root.kind == ROOT_PRIVATE)
    address -= (uintptr_t)item->private_memory;
  describe_region(run, access, address, what, sizeof what, &offset, &bytes);
  if (access->root.kind == ROOT_UNKNOWN)
    error_at(&error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
             "kernel %s, work-item %s: %s of %u bytes of %s memory %s%s", run->program->name,
             item_name(item, who, sizeof who), verbs[op->op_class], access->bytes,
             trace_space_name((enum trace_space)access->root.space),
             misaligned ? "through a pointer that is cast" : "lies in no buffer", misaligned ? alignment_rule(op) : "");
  else
    error_at(&error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
             "kernel %s, work-item %s: %s of %u bytes at byte offset %" PRId64 " of %s, which holds %" PRIu64
             " bytes%s",
             run->program->name, item_name(item, who, sizeof who), verbs[op->op_class], access->bytes, offset, what,
             bytes, misaligned ? alignment_rule(op) : "");
  group_run_fail(run, &error);
}

#define LET_PASS "trace --undefined-reads none lets it pass"

/* "which it has not written", or, where it wrote an undefined value: whose. */
static void describe_writer(const struct kernel_program *program, const struct pointer_root *root, unsigned char shadow,
                            char *text, size_t size) {
  static const char *const writers[] = {[SPACE_GLOBAL] = "which nothing has",
                                        [SPACE_LOCAL] = "which no work-item of the work-group has",
                                        [SPACE_PRIVATE] = "which it has not"};
  const uint32_t origin = (uint32_t)shadow - SHADOW_UNWRITTEN - 1;
  const char *other = shadow == SHADOW_UNWRITTEN || shadow == SHADOW_OF_SOME || origin >= program->undefined.count
                          ? ""
                          : program->undefined.list[origin].name;
  const bool itself = root->kind == ROOT_PRIVATE && strcmp(other, program->privates.list[root->index].name) == 0;
  if (shadow == SHADOW_UNWRITTEN || itself)
    snprintf(text, size, "%s written", writers[root->space]);
  else
    snprintf(text, size, "to which it wrote a value made of %s%.100s%s, which it has not written",
             *other ? "private variable \"" : "another one", other, *other ? "\"" : "");
}

void emulation_undefined_read(struct item_context *item, uint64_t index, uint64_t address, unsigned char shadow) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  char who[80], what[300] = "memory", writer[200];
  int64_t offset = 0;
  uint64_t bytes;
  struct error error = ERROR_INIT;
  if (access->root.kind == ROOT_UNKNOWN)
    snprintf(what, sizeof what, "%s memory (offset unknown)", trace_space_name((enum trace_space)access->root.space));
  else
    describe_region(run, access,
                    access->root.kind == ROOT_PRIVATE ? address - (uintptr_t)item->private_memory : address, what,
                    sizeof what, &offset, &bytes);
  tell_rehearsal(item);
  describe_writer(run->program, &access->root, shadow, writer, sizeof writer);
  error_at(&error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
           "kernel %s, work-item %s: reads %u bytes at byte offset %" PRId64
           " of %s, %s: the value is undefined; %s" LET_PASS,
           run->program->name, item_name(item, who, sizeof who), access->bytes, offset, what, writer,
           access->root.space == SPACE_LOCAL ? "is a barrier missing? " : "");
  group_run_fail(run, &error);
}

static bool in_a_region(const struct arena *arena, uint64_t offset, uint64_t bytes, bool stores) {
  const struct arena_region *r = arena_region_at(arena, offset);
  return r && r->offset + r->bytes - offset >= bytes && !(stores && r->is_constant);
}

/* For pointers whose buffer is only known while running. */
void emulation_check_access(struct item_context *item, uint64_t index, uint64_t address) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  const struct arena *arena = run->request->arena;
  bool good;
  if (access->root.space == SPACE_LOCAL || access->root.space == SPACE_PRIVATE) {
    const bool local = access->root.space == SPACE_LOCAL;
    const uint64_t size = local ? run->request->local_bytes : run->program->private_bytes;
    const uint64_t offset = address - (uintptr_t)(local ? run->request->local_memory : item->private_memory);
    good = size >= access->bytes && offset <= size - access->bytes;
  } else
    good = in_a_region(arena, address - (uintptr_t)arena->base, access->bytes,
                       run->program->code.ops[access->op].op_class != OP_LOAD);
  if (!good || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (run->checked && access->shadowed)
    shadow_access(item, (uint32_t)index, address);
}

uint64_t group_run_region(const struct item_context *item, const struct kernel_access *access, uint64_t *bytes) {
  const struct group_run *run = item->run;
  const struct kernel_program *program = run->program;
  const uint32_t i = access->root.index;
  uint64_t base;
  if (access->root.kind == ROOT_ARGUMENT) {
    memcpy(&base, run->request->arguments[i].value, sizeof base);
    *bytes = run->request->arguments[i].bytes;
    return base;
  }
  const enum root_kind kind = access->root.kind;
  const struct arena *arena = run->request->arena;
  const struct kernel_variable *v = kind == ROOT_LOCAL      ? &program->locals.list[i]
                                    : kind == ROOT_CONSTANT ? &program->constants.list[i]
                                                            : &program->privates.list[i];
  const char *start = kind == ROOT_LOCAL      ? run->request->local_memory
                      : kind == ROOT_CONSTANT ? arena->base
                                              : item->private_memory;
  *bytes = v->bytes;
  return (uintptr_t)start + v->offset;
}

/* In a checked work-group: the access may be good. */
void emulation_checked_access(struct item_context *item, uint64_t index, uint64_t address) {
  const struct kernel_access *access = generated_access(item, index);
  uint64_t bytes;
  const uint64_t offset = address - group_run_region(item, access, &bytes);
  if (bytes < access->bytes || offset > bytes - access->bytes || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (item->run->checked)
    shadow_access(item, (uint32_t)index, address);
}

void group_run_mistake(const struct item_context *item, unsigned line, const char *what) {
  struct error error = ERROR_INIT;
  char who[80];
  error_at(&error, ERROR_WORK, item->run->program->source, line, 0, NULL, "kernel %s, work-item %s: %s",
           item->run->program->name, item_name(item, who, sizeof who), what);
  group_run_fail(item->run, &error);
}

void emulation_undefined_variable(struct item_context *item, uint64_t line, uint64_t variable) {
  char what[320], place[80] = "";
  tell_rehearsal(item);
  const struct kernel_variables *parts = &item->run->program->undefined;
  const struct kernel_variable *part = &parts->list[generated_index(item, variable, parts->count, "variables")];
  const char *let_pass = part->is_certain ? "" : "; " LET_PASS;
  if (part->bytes)
    snprintf(place, sizeof place, "%" PRIu64 " bytes at byte offset %" PRIu32 " of ", part->bytes, part->offset);
  if (strcmp(part->name, KERNEL_RESULT) == 0)
    snprintf(what, sizeof what, "uses what a function gave that ended without returning a value: it is undefined%s",
             let_pass);
  else
    snprintf(what, sizeof what,
             "reads %sprivate variable \"%.100s\", which it has not written: the value is undefined%s", place,
             part->name, let_pass);
  group_run_mistake(item, (unsigned)line, what);
}

/* In the words of emulation_bad_access. */
void emulation_elided_access(struct item_context *item, uint64_t trap_and_line, uint64_t offset) {
  const struct kernel_variables *sites = &item->run->program->elided_accesses;
  const struct kernel_variable *v = &sites->list[generated_index(item, trap_and_line >> 32, sites->count, "accesses")];
  const unsigned bytes = v->alignment;
  const char *verb = v->is_stored ? "store" : "load";
  char what[320];
  tell_rehearsal(item);
  if (*v->name)
    snprintf(what, sizeof what,
             "%s of %u bytes at byte offset %" PRId64 " of private variable \"%.100s\", which holds %" PRIu64 " bytes",
             verb, bytes, (int64_t)offset, v->name, v->bytes);
  else if (bytes)
    snprintf(what, sizeof what, "%s of %u bytes of private memory through a null pointer", verb, bytes);
  else
    snprintf(what, sizeof what, "element %" PRId64 " of a vector that has %" PRIu64, (int64_t)offset, v->bytes);
  group_run_mistake(item, (uint32_t)trap_and_line, what);
}

void emulation_divided_by_zero(struct item_context *item, uint64_t line) {
  tell_rehearsal(item);
  group_run_mistake(item, (unsigned)line, "integer division by zero");
}

void emulation_unreachable(struct item_context *item, uint64_t line) {
  group_run_mistake(item, (unsigned)line,
                    "reached code that has undefined behaviour (such as a division by a constant zero or an endless "
                    "loop without effect)");
}

static bool leads_to(const struct trace_code *code, const struct trace_block *block, uint32_t id) {
  for (uint32_t i = 0; i < block->successor_count; i++)
    if (code->successors[block->first_successor + i] == id)
      return true;
  return false;
}

/* The first line that the block's operations name; where none does (an empty loop), that of a branch to it. */
static unsigned block_line(const struct trace_code *code, uint32_t id) {
  unsigned line = code->blocks[id].line;
  for (uint32_t i = 0; i < code->block_count && !line; i++)
    if (i != id && leads_to(code, &code->blocks[i], id))
      line = code->ops[code->blocks[i].first_op + code->blocks[i].op_count - 1].line;
  return line;
}

/* Line of the block that `slot`'s item runs. Code that does not record keeps storing ids at one place. */
static unsigned running_line(const struct group_run *run, uint32_t slot, const uint16_t *next) {
  const uint16_t *first = group_run_context(run, slot)->blocks; /* where it started: cursors are kept at the end */
  const uint16_t *last = run->program->records ? next - 1 : first;
  return next && last >= first && *last < run->program->code.block_count ? block_line(&run->program->code, *last) : 0;
}

/* Items with barriers have a stack each, with a page in front that cannot be touched. */
static bool on_a_guard_page(const struct group_run *run, const void *address) {
  const uint64_t offset = (uint64_t)((const char *)address - run->stack_memory);
  const uint64_t stride = ITEM_STACK_BYTES + ARENA_PAGE;
  return run->stack_memory && offset < run->alive * stride && offset % stride < ARENA_PAGE;
}

void group_run_stopped(struct group_run *run, enum recording_end end, uint32_t slot, const void *next) {
  struct error error = ERROR_INIT;
  char who[80];
  const char *name = run->program->name;
  const char *item = item_name(group_run_context(run, end == RECORDING_GOES_ON ? run->current : slot), who, sizeof who);
  if (end == RECORDING_GOES_ON)
    error_at(&error, ERROR_WORK, run->program->source, run->program->line, 0, NULL, "kernel %s, work-item %s: %s", name,
             item,
             on_a_guard_page(run, next) ? "stack overflow" : "crashed (a built-in function that reads out of bounds?)");
  else if (end == RECORDING_FULL)
    error_at(&error, ERROR_WORK, run->program->source, running_line(run, slot, next), 0, NULL,
             "kernel %s, work-item %s: what this work-group has done so far takes more than %" PRIu64
             " bytes to record; use a smaller problem or a higher --memory (or does this loop never end? One that "
             "waits for a later work-group does not)",
             name, item, run->recording.limit);
  else
    error_at(&error, ERROR_WORK, run->program->source, running_line(run, slot, next), 0, NULL,
             "kernel %s, work-item %s: was stopped here, because the launch took more than %g s; a higher --timeout "
             "allows more (or does this loop never end? One that waits for a later work-group does not)",
             name, item, run->request->limit_s);
  run->request->fail(run->request->user, &error);
}
