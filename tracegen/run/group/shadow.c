#include "tracegen/run/group/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/run/group/group_run.h"

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

/* Closes the buffers that hold undefined bytes: no access to them is in bounds, so that each is looked at. */
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
  s->copied_source = calloc(program->code.mem_count + 1, SHADOW_ACCESS_BYTES * sizeof *s->copied_source);
  s->arguments = aligned_alloc(_Alignof(struct kernel_argument), list_bytes);
  if (!s->local || !s->private_memory || !s->copied || !s->copied_source || !s->arguments)
    return error_no_memory(run->error);
  memcpy(s->arguments, run->request->arguments, list_bytes);
  close_buffers(run);
  return 0;
}

void shadow_destroy(struct shadow *shadow) {
  free(shadow->local);
  free(shadow->private_memory);
  free(shadow->copied);
  free(shadow->copied_source);
  free(shadow->local_source);
  free(shadow->private_source);
  free(shadow->arguments);
}

bool shadow_begin_group(struct group_run *run) {
  const bool looks = run->request->undefined_reads != UNDEFINED_READS_NONE && run->program->checks_reads;
  const bool items = looks && shadow_checks_group(run->request, run->group);
  for (uint32_t i = 0; i < run->alive; i++)
    run->items[i].bounds = items ? 0 : UINT64_MAX;
  for (uint32_t i = 0; run->simd && i * SIMD_LANES < run->alive; i++)
    run->simd[i].bounds = items ? 0 : UINT64_MAX;
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
