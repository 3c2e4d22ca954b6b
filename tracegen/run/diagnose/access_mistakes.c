/* Messages about accesses: out of bounds, misaligned, through a null pointer, of undefined bytes. */
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/item_name.h"
#include "tracegen/run/diagnose/mistakes.h"

#include <pthread.h>
#include <string.h>

static const char *const verbs[] = {[OP_LOAD] = "load", [OP_STORE] = "store", [OP_ATOMIC] = "atomic operation"};

/* Writes the buffer or variable that the access must stay in; *offset: where in it the access is. */
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

/* Returns the operation's line. An operation that the optimiser made of several lines has none, and gets that of the
 * one before. */
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

bool mistake_is_null(const struct group_run *run, const struct kernel_access *access, uint64_t address) {
  return address < ARENA_PAGE || is_of_null_argument(run, &access->root);
}

/* Sets the error that says who accesses what, and where it lies. */
static void describe_access(const struct item_context *item, const struct kernel_access *access, uint64_t address,
                            struct error *error) {
  const struct group_run *run = item->run;
  const bool misaligned = is_misaligned(access, address);
  const struct trace_op *op = &run->program->code.ops[access->op];
  char who[80], what[300];
  int64_t offset;
  uint64_t bytes;
  if (access->root.kind == ROOT_PRIVATE)
    address -= (uintptr_t)item->private_memory;
  describe_region(run, access, address, what, sizeof what, &offset, &bytes);
  if (access->root.kind == ROOT_UNKNOWN)
    error_at(error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
             "kernel %s, work-item %s: %s of %u bytes of %s memory %s%s", run->program->name,
             item_name(item, who, sizeof who), verbs[op->op_class], access->bytes,
             trace_space_name((enum trace_space)access->root.space),
             misaligned ? "through a pointer that is cast" : "lies in no buffer", misaligned ? alignment_rule(op) : "");
  else
    error_at(error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
             "kernel %s, work-item %s: %s of %u bytes at byte offset %" PRId64 " of %s, which holds %" PRIu64
             " bytes%s",
             run->program->name, item_name(item, who, sizeof who), verbs[op->op_class], access->bytes, offset, what,
             bytes, misaligned ? alignment_rule(op) : "");
}

void emulation_bad_access(struct item_context *item, uint64_t index, uint64_t address) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  struct error error = ERROR_INIT;
  mark_dry_run_finding(item);
  if (mistake_is_null(run, access, address))
    null_pointer(item, access, line_of(run->program, access->op), verbs[run->program->code.ops[access->op].op_class]);
  describe_access(item, access, address, &error);
  group_run_fail(run, &error);
}

/* Keeps the load in words if no work-group before this one has had any. */
static void keep_first(struct outside_loads *outside, const struct item_context *item,
                       const struct kernel_access *access, uint64_t address) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  const uint64_t group = (uint64_t)item->run->group + 1;
  struct error error = ERROR_INIT;
  describe_access(item, access, address, &error);
  pthread_mutex_lock(&one_at_a_time);
  if (!outside->group || group < outside->group) {
    snprintf(outside->first, sizeof outside->first, "line %u: %.300s", error.line, error.text);
    __atomic_store_n(&outside->group, group, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&one_at_a_time);
}

void count_outside_load(const struct item_context *item, uint64_t index, uint64_t address) {
  struct outside_loads *outside = item->run->request->outside;
  if (!outside)
    return;
  __atomic_fetch_add(&outside->count, 1, __ATOMIC_RELAXED);
  const uint64_t known = __atomic_load_n(&outside->group, __ATOMIC_RELAXED);
  if (!known || (uint64_t)item->run->group + 1 < known)
    keep_first(outside, item, generated_access(item, index), address);
}

static const char *const writers[] = {[SPACE_GLOBAL] = "nothing has",
                                      [SPACE_LOCAL] = "no work-item of the work-group has",
                                      [SPACE_PRIVATE] = "it has not"};

/* Writes what the memory operation accesses at the address; *offset: where in it. */
static void describe_memory(const struct item_context *item, const struct kernel_access *access, uint64_t address,
                            char *text, size_t size, int64_t *offset) {
  uint64_t bytes;
  *offset = 0;
  if (access->root.kind == ROOT_UNKNOWN)
    snprintf(text, size, "%s memory (offset unknown)", trace_space_name((enum trace_space)access->root.space));
  else
    describe_region(item->run, access,
                    access->root.kind == ROOT_PRIVATE ? address - (uintptr_t)item->private_memory : address, text, size,
                    offset, &bytes);
}

/* Writes from which memory, that nothing had written, the bytes were copied. */
static void describe_source(const struct item_context *item, uint16_t source, char *text, size_t size) {
  const struct kernel_program *program = item->run->program;
  char what[200];
  int64_t offset;
  if (source == SHADOW_SOURCE_UNKNOWN || source > program->code.mem_count) {
    snprintf(text, size, "to which memory was copied that nothing has written");
    return;
  }
  const struct kernel_access *access = &program->accesses[source - 1];
  describe_memory(item, access, 0, what, sizeof what, &offset);
  snprintf(text, size, "to which line %u copied %s, which %s written", line_of(program, access->op), what,
           writers[access->root.space]);
}

/* Writes "which it has not written" or, where an undefined value was written, whose value that is. */
static void describe_writer(const struct item_context *item, const struct pointer_root *root, unsigned char shadow,
                            uint16_t source, char *text, size_t size) {
  const struct kernel_program *program = item->run->program;
  const uint32_t origin = (uint32_t)shadow - SHADOW_UNWRITTEN - 1;
  const char *other = shadow == SHADOW_UNWRITTEN || shadow >= SHADOW_COPIED || origin >= program->undefined.count
                          ? ""
                          : program->undefined.list[origin].name;
  const bool itself = root->kind == ROOT_PRIVATE && strcmp(other, program->privates.list[root->index].name) == 0;
  if (shadow == SHADOW_UNWRITTEN || itself)
    snprintf(text, size, "which %s written", writers[root->space]);
  else if (shadow == SHADOW_COPIED)
    describe_source(item, source, text, size);
  else
    snprintf(text, size, "to which it wrote a value made of %s%.100s%s, which it has not written",
             *other ? "private variable \"" : "another one", other, *other ? "\"" : "");
}

static bool misses_a_barrier(const struct group_run *run, const struct kernel_access *access, unsigned char shadow,
                             uint16_t source) {
  if (shadow == SHADOW_COPIED && source != SHADOW_SOURCE_UNKNOWN && source <= run->program->code.mem_count)
    access = &run->program->accesses[source - 1];
  else if (shadow == SHADOW_COPIED)
    return false;
  return access->root.space == SPACE_LOCAL;
}

void mistake_undefined_read(struct item_context *item, uint32_t index, uint64_t address, unsigned char shadow,
                            uint16_t source) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  char who[80], what[300], writer[400];
  int64_t offset;
  struct error error = ERROR_INIT;
  describe_memory(item, access, address, what, sizeof what, &offset);
  mark_dry_run_finding(item);
  describe_writer(item, &access->root, shadow, source, writer, sizeof writer);
  error_at(&error, ERROR_WORK, run->program->source, line_of(run->program, access->op), 0, NULL,
           "kernel %s, work-item %s: reads %u bytes at byte offset %" PRId64
           " of %s, %s: the value is undefined; %s" LET_PASS,
           run->program->name, item_name(item, who, sizeof who), access->bytes, offset, what, writer,
           misses_a_barrier(run, access, shadow, source) ? "is a barrier missing? " : "");
  group_run_fail(run, &error);
}

/* The message is all that the process that runs kernels tells: it may have been taken over by one. */
bool mistake_is_local_read(const struct error *error) {
  return error->kind == ERROR_WORK && strstr(error->text, ": the value is undefined; ") &&
         (strstr(error->text, " of local memory ") || strstr(error->text, " of local variable "));
}
