#include "tracegen/run/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/run/generated_numbers.h"
#include "tracegen/run/group_run.h"

#define FIRST_GROUPS 4

static bool is_power_of_two(uint64_t x) {
  return x && !(x & (x - 1));
}

static uint64_t last_group(const struct workload_launch *launch) {
  uint64_t groups = 1;
  for (int d = 0; d < 3; d++)
    groups *= launch->global[d] / launch->local[d];
  return groups - 1;
}

bool shadow_checks_group(const struct run_request *request, uint64_t group) {
  return request->undefined_reads == UNDEFINED_READS_ALL ||
         (request->undefined_reads == UNDEFINED_READS_SOME &&
          (group < FIRST_GROUPS || is_power_of_two(group) || group == last_group(request->launch)));
}

static bool leads_to_undefined(const struct group_run *run, uint32_t argument) {
  const struct arena *arena = run->request->arena;
  const struct kernel_argument *a = &run->request->arguments[argument];
  uint64_t address;
  memcpy(&address, a->value, sizeof address);
  return arena->undefined && a->bytes > 0 && memchr(arena->undefined + (address - (uintptr_t)arena->base), 1, a->bytes);
}

/* Nothing in them is in bounds, so that every access is looked at. */
static void close_buffers(struct group_run *run) {
  for (uint32_t i = 0; i < run->program->parameter_count; i++) {
    const struct kernel_parameter *p = &run->program->parameters[i];
    if (p->is_pointer && p->space == SPACE_GLOBAL && run->program->tracks_buffers && leads_to_undefined(run, i))
      run->shadow.arguments[i].bytes = 0;
  }
}

static void close_local_arguments(struct group_run *run, bool close) {
  for (uint32_t i = 0; i < run->program->parameter_count; i++) {
    const struct kernel_parameter *p = &run->program->parameters[i];
    if (p->is_pointer && p->space == SPACE_LOCAL)
      run->shadow.arguments[i].bytes = close ? 0 : run->request->arguments[i].bytes;
  }
}

int shadow_create(struct group_run *run) {
  const struct kernel_program *program = run->program;
  const size_t list_bytes = (program->parameter_count + 1) * sizeof *run->shadow.arguments;
  struct shadow *s = &run->shadow;
  if (!program->checks_reads)
    return 0;
  s->local = malloc(run->request->local_bytes + 1);
  s->private_memory = malloc((size_t)run->alive * program->private_bytes + 1);
  s->copied = calloc(program->code.mem_count + 1, SHADOW_ACCESS_BYTES);
  s->arguments = aligned_alloc(_Alignof(struct kernel_argument), list_bytes);
  if (!s->local || !s->private_memory || !s->copied || !s->arguments)
    return error_set(run->error, ERROR_WORK, "out of memory");
  memcpy(s->arguments, run->request->arguments, list_bytes);
  close_buffers(run);
  return 0;
}

void shadow_destroy(struct shadow *shadow) {
  free(shadow->local);
  free(shadow->private_memory);
  free(shadow->copied);
  free(shadow->arguments);
}

bool shadow_begin_group(struct group_run *run) {
  const bool looks = run->request->undefined_reads != UNDEFINED_READS_NONE && run->program->checks_reads;
  const bool items = looks && shadow_checks_group(run->request, run->group);
  for (uint32_t i = 0; i < run->alive; i++)
    run->items[i].bounds = items ? 0 : UINT64_MAX;
  for (uint32_t i = 0; run->rows && i * SIMD_LANES < run->alive; i++)
    run->rows[i].bounds = items ? 0 : UINT64_MAX;
  if (!looks)
    return false;
  run->shadow.checks_items = items;
  close_local_arguments(run, items);
  if (items)
    memset(run->shadow.local, SHADOW_UNWRITTEN, run->request->local_bytes);
  return items || run->program->tracks_buffers;
}

void shadow_begin_item(struct group_run *run, uint32_t slot) {
  const size_t bytes = run->program->private_bytes;
  if (run->shadow.checks_items)
    memset(run->shadow.private_memory + slot * bytes, SHADOW_UNWRITTEN, bytes);
}

/* Of so many bytes from the address on. NULL: what lies there is defined, or not looked at. */
static char *shadow_of(struct item_context *item, const struct kernel_access *access, uint64_t address,
                       uint64_t bytes) {
  const struct group_run *run = item->run;
  const struct arena *arena = run->request->arena;
  if (access->root.space != SPACE_GLOBAL && !run->shadow.checks_items)
    return NULL;
  switch ((enum trace_space)access->root.space) {
  case SPACE_LOCAL:
    return run->shadow.local +
           generated_distance(item, address, bytes, run->request->local_memory, run->request->local_bytes);
  case SPACE_PRIVATE:
    return run->shadow.private_memory + (item->private_memory - run->private_memory) +
           generated_distance(item, address, bytes, item->private_memory, run->program->private_bytes);
  case SPACE_GLOBAL:
    return arena->undefined ? arena->undefined + generated_distance(item, address, bytes, arena->base, arena->used)
                            : NULL;
  default:
    return NULL;
  }
}

static bool all_undefined(const char *shadow, uint32_t bytes) {
  uint32_t i = 0; /* nearly always defined: the first byte tells */
  while (i < bytes && shadow[i])
    i++;
  return i == bytes;
}

/* An element counts as read before it was written when none of its bytes was written: its other bytes may be padding.
 * Returns its shadow; NULL: there is none. */
static const char *find_undefined(const struct kernel_access *access, const char *shadow) {
  if (access->read == READ_VISIBLE_COPY)
    return all_undefined(shadow, access->bytes) ? shadow : NULL;
  for (uint32_t i = 0; access->read == READ_ELEMENTS && i * access->element_bytes < access->bytes; i++) {
    const char *element = shadow + i * access->element_bytes;
    if (access->elements >> i & 1 && all_undefined(element, access->element_bytes))
      return element;
  }
  return NULL;
}

/* Whether the access always came by here, in this group, too. */
static bool is_looked_at(const struct group_run *run, uint32_t access) {
  return run->shadow.checks_items || run->program->accesses[access].root.space == SPACE_GLOBAL;
}

void shadow_access(struct item_context *item, uint32_t index, uint64_t address) {
  const struct group_run *run = item->run;
  const struct kernel_access *access = &run->program->accesses[index];
  const struct trace_op *op = &run->program->code.ops[access->op];
  char *shadow = shadow_of(item, access, address, access->bytes);
  char *copied = run->shadow.copied + (size_t)index * SHADOW_ACCESS_BYTES;
  const char *undefined = shadow && op->op_class != OP_STORE ? find_undefined(access, shadow) : NULL;
  if (undefined)
    emulation_undefined_read(item, index, address, (unsigned char)*undefined);
  if (access->read == READ_COPY || access->read == READ_VISIBLE_COPY)
    shadow ? memcpy(copied, shadow, access->bytes) : memset(copied, 0, access->bytes);
  if (!shadow || op->op_class == OP_LOAD)
    return;
  if (access->copy_of && is_looked_at(run, access->copy_of - 1))
    memcpy(shadow, run->shadow.copied + (size_t)(access->copy_of - 1) * SHADOW_ACCESS_BYTES, access->bytes);
  else
    memset(shadow, 0, access->bytes);
}

void emulation_undefined_store(struct item_context *item, uint64_t bytes_and_origin, uint64_t address) {
  const struct group_run *run = item->run;
  const uint64_t origin = bytes_and_origin & UINT32_MAX;
  const uint32_t which = (uint32_t)(bytes_and_origin >> 32);
  if (!run->shadow.checks_items || !which)
    return;
  const unsigned end = 32 - (unsigned)__builtin_clz(which);
  char *shadow = run->shadow.private_memory + generated_distance(item, address, end, run->private_memory,
                                                                 (uint64_t)run->alive * run->program->private_bytes);
  for (unsigned i = 0; i < end; i++)
    if (which >> i & 1)
      shadow[i] = (char)(origin && origin < SHADOW_OF_SOME ? SHADOW_UNWRITTEN + origin : SHADOW_OF_SOME);
}

bool shadow_row_is_defined(struct item_context *row, const struct kernel_access *access, uint64_t address,
                           int64_t step) {
  const struct trace_op *op = &row->run->program->code.ops[access->op];
  const uint64_t way = (uint64_t)(step < 0 ? -step : step) * (SIMD_LANES - 1), bytes = way + access->bytes;
  char *shadow = shadow_of(row, access, step < 0 ? address - way : address, bytes);
  if (!shadow)
    return true;
  if (op->op_class == OP_LOAD)
    return memchr(shadow, SHADOW_UNWRITTEN, bytes) == NULL;
  if (way != (uint64_t)access->bytes * (SIMD_LANES - 1))
    return false;
  memset(shadow, 0, bytes);
  return true;
}
